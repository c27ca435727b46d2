package main

import (
	"cmp"
	"slices"
)

const (
	// minClauses is how many clauses numbered in order make a legal text.
	minClauses = 3
	// minOuter is how many are enough around such: two chapters of ten articles each.
	minOuter = 2
	// maxParts is more than the numbers of any clause: it sets the ranks of two words apart.
	maxParts = 128
)

// clauses finds the numbered clauses of a text, nil where it has none: at least three, each the next of the one before
// it by its numbers, by a word and a number ("Article 5") or by numbers of which some have parts ("2.1"). Two are enough
// where each has a word and a title. Most of what looks like a clause must be one.
func clauses(src []byte) []clause {
	words, numbers := readClauses(src)
	if cs, ranks := wordClauses(words); cs != nil {
		return mergeClauses(cs, numbers, ranks)
	}
	cs := inOrder(numbers, nil)
	if len(cs) < minClauses || !hasParts(cs) || !most(cs, numbers) {
		return nil
	}
	for i := range cs {
		cs[i].rank = len(cs[i].numbers)
	}
	return cs
}

// most tells whether the clauses kept are at least two thirds of those read.
func most(kept, all []clause) bool { return 3*len(kept) >= 2*len(all) }

// wordClauses finds the words whose numbers are in order; the word that comes first in the text is the outermost. Inside
// an outer clause the numbers of an inner word may begin anew. It gives the number of ranks used.
func wordClauses(words []clause) ([]clause, int) {
	var order []string
	byWord := map[string][]clause{}
	for _, c := range words {
		if byWord[c.word] == nil {
			order = append(order, c.word)
		}
		byWord[c.word] = append(byWord[c.word], c)
	}
	var all []clause
	largest, rank := 0, 0
	for _, w := range order {
		kept := inOrder(byWord[w], all)
		if len(kept) < minOuter || !most(kept, byWord[w]) {
			continue
		}
		for i := range kept {
			kept[i].rank = rank*maxParts + len(kept[i].numbers)
		}
		rank++
		largest = max(largest, len(kept))
		all = append(all, kept...)
		slices.SortFunc(all, func(a, b clause) int { return cmp.Compare(a.line.start, b.line.start) })
	}
	untitled := func(c clause) bool { return !c.title }
	if largest < minClauses && slices.ContainsFunc(all, untitled) {
		return nil, 0
	}
	return all, rank
}

// inOrder keeps the clauses that follow each other: from the first on, each that is the next of the last one kept, or
// that begins anew behind one of outer, which is in order of the text.
func inOrder(cs, outer []clause) []clause {
	var kept []clause
	for _, c := range cs {
		fresh := false
		for len(outer) > 0 && outer[0].line.start < c.line.start {
			fresh, outer = true, outer[1:]
		}
		switch {
		case len(kept) == 0, c.follows(kept[len(kept)-1]):
			kept = append(kept, c)
		case fresh && c.numbers[len(c.numbers)-1] == 1:
			kept = append(kept, c)
		}
	}
	return kept
}

// follows tells whether c may stand behind prev; a letter follows its number and the letter before it.
func (c clause) follows(prev clause) bool {
	if c.letter > prev.letter && slices.Equal(c.numbers, prev.numbers) {
		return true
	}
	return isNext(prev.numbers, c.numbers)
}

// isNext tells whether b may follow a: one more at the same place or at an outer one, or the first part of a. "1.0" and
// a start of an outer clause with its first part ("2.1" behind "1.4") are allowed.
func isNext(a, b []int) bool {
	if len(b) > len(a) && slices.Equal(a, b[:len(a)]) {
		return len(b) == len(a)+1 && b[len(a)] <= 1
	}
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			continue
		}
		rest := b[i+1:]
		return b[i] == a[i]+1 && (len(rest) == 0 || len(rest) == 1 && rest[0] <= 1)
	}
	return false
}

func hasParts(cs []clause) bool {
	n := 0
	for _, c := range cs {
		if len(c.numbers) > 1 {
			n++
		}
	}
	return n >= 2
}

// mergeClauses adds to clauses with a word the numbered ones that are parts of them ("2.1" within "Article 2"), at ranks
// behind theirs.
func mergeClauses(words, numbers []clause, ranks int) []clause {
	var cs []clause
	for i, w := range words {
		cs = append(cs, w)
		last := w.numbers
		for len(numbers) > 0 && (i+1 == len(words) || numbers[0].line.start < words[i+1].line.start) {
			n := numbers[0]
			numbers = numbers[1:]
			if n.line.start > w.line.start && len(n.numbers) > len(w.numbers) && isNext(last, n.numbers) &&
				slices.Equal(w.numbers, n.numbers[:len(w.numbers)]) {
				n.rank = ranks*maxParts + len(n.numbers)
				cs = append(cs, n)
				last = n.numbers
			}
		}
	}
	return cs
}
