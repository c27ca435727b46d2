package main

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cleave-project/cleave/sdk"
)

// clause is where a numbered clause begins: its numbers ("4.2": 4, 2) with the letter of one put in later ("3a"), its
// label as written and its line.
type clause struct {
	line    line
	numbers []int
	letter  string
	label   string
	keyword bool
}

const (
	// minClauses is how many clauses numbered in order make a legal text.
	minClauses = 3
	// maxTitle is the longest title of a clause, in bytes; a longer line is its text.
	maxTitle = 120
)

var (
	// named matches "Article 5", "Section 2.1", "§ 3a" and the like at the start of a block.
	named = regexp.MustCompile(`^[ \t]*((?:(?i:article|art\.|section|sec\.|clause|paragraph|schedule|artikel|abschnitt|artículo|cláusula|articolo|artigo|paragraf|статья|пункт)|§§?)[ \t]*(\d{1,4}(?:\.\d{1,3})*)([a-z]?))(?:[.:)]|[ \t]|[-–—]|$)`)
	// han matches "第五条" with a number in digits.
	han = regexp.MustCompile(`^[ \t　]*(第 ?(\d{1,4}) ?[条條章]())`)
	// dotted matches "1.", "1.2" and "1.2.3" at the start of a line.
	dotted = regexp.MustCompile(`^[ \t]*((\d{1,3}(?:\.\d{1,3})*)[.)]?)[ \t]+\S`)
)

// clauses finds the numbered clauses of a text, nil where it has none: at least three, each the next of the one before
// it by its numbers, by a word and a number ("Article 5") or by numbers of which some have parts ("2.1").
func clauses(src []byte) []clause {
	var words, numbers []clause
	gap := true
	for at := 0; at < len(src); {
		l := lineAt(src, at)
		at = l.next
		if l.blank(src) {
			gap = true
			continue
		}
		head := l.head(src)
		text := bytes.TrimLeft(head, " \t　")
		if gap && mayName(text) {
			if c, ok := readNamed(head, l); ok {
				words = append(words, c)
			}
		}
		if len(text) > 0 && isDigit(text[0]) {
			if c, ok := readDotted(head, l); ok {
				numbers = append(numbers, c)
			}
		}
		gap = false
	}
	if cs := inOrder(words); len(cs) >= minClauses && 3*len(cs) >= 2*len(words) {
		return mergeClauses(cs, numbers)
	}
	if cs := inOrder(numbers); len(cs) >= minClauses && hasParts(cs) && 3*len(cs) >= 2*len(numbers) {
		return cs
	}
	return nil
}

// mayName tells by its first letters whether a text can begin with a clause's word, since few lines do.
func mayName(text []byte) bool {
	if len(text) < 3 {
		return false
	}
	switch text[0] | 0x20 {
	case 'a', 'c', 'p', 's':
		return bytes.ContainsAny(text[:min(len(text), 20)], "0123456789")
	}
	return text[0] >= utf8.RuneSelf
}

func readNamed(head []byte, l line) (clause, bool) {
	m := named.FindSubmatch(head)
	if m == nil {
		m = han.FindSubmatch(head)
	}
	if m == nil {
		return clause{}, false
	}
	return clause{line: l, numbers: numbersOf(m[2]), letter: string(m[3]), label: string(m[1]), keyword: true}, true
}

func readDotted(head []byte, l line) (clause, bool) {
	m := dotted.FindSubmatch(head)
	if m == nil || bytes.Count(m[2], []byte(".")) == 0 && len(m[1]) == len(m[2]) {
		return clause{}, false // a number alone begins a sentence as well as a clause
	}
	return clause{line: l, numbers: numbersOf(m[2]), label: string(m[1])}, true
}

func numbersOf(b []byte) []int {
	var ns []int
	for _, s := range strings.Split(string(b), ".") {
		n, _ := strconv.Atoi(s) // the patterns match digits alone, four at most
		ns = append(ns, n)
	}
	return ns
}

// inOrder keeps the clauses that follow each other: from the first on, each that is the next of the last one kept.
func inOrder(cs []clause) []clause {
	var kept []clause
	for _, c := range cs {
		if len(kept) == 0 || c.follows(kept[len(kept)-1]) {
			kept = append(kept, c)
		}
	}
	return kept
}

// follows tells whether c may stand behind prev; a letter follows its number and the letter before it.
func (c clause) follows(prev clause) bool {
	if c.letter > prev.letter && len(c.numbers) == len(prev.numbers) && equal(c.numbers, prev.numbers) {
		return true
	}
	return isNext(prev.numbers, c.numbers)
}

// isNext tells whether b may follow a: one more at the same place or at an outer one, or the first part of a. "1.0" and
// a start of an outer clause with its first part ("2.1" behind "1.4") are allowed.
func isNext(a, b []int) bool {
	if len(b) > len(a) && equal(a, b[:len(a)]) {
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

func equal(a, b []int) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
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

// mergeClauses adds to clauses with a word the numbered ones that are parts of them ("2.1" within "Article 2").
func mergeClauses(words, numbers []clause) []clause {
	var cs []clause
	for i, w := range words {
		cs = append(cs, w)
		last := w.numbers
		for len(numbers) > 0 && (i+1 == len(words) || numbers[0].line.start < words[i+1].line.start) {
			n := numbers[0]
			numbers = numbers[1:]
			if n.line.start > w.line.start && len(n.numbers) > len(w.numbers) && isNext(last, n.numbers) &&
				equal(w.numbers, n.numbers[:len(w.numbers)]) {
				cs = append(cs, n)
				last = n.numbers
			}
		}
	}
	return cs
}

// clauses adds clauses, each within the one whose numbers begin its own, and what stands before the first.
func (b *builder) clauses(cs []clause, region sdk.Span) {
	b.prose(sdk.Span{Start: region.Start, End: cs[0].line.start}, 0)
	var open []openClause
	for i, c := range cs {
		if b.stopped() {
			b.closeClauses(open, 0, c.line.start)
			b.add(sdk.KindText, sdk.CutSentences, 0, c.line.start, region.End)
			return
		}
		end := region.End
		if i+1 < len(cs) {
			end = cs[i+1].line.start
		}
		open = b.closeClauses(open, len(c.numbers), c.line.start)
		own := sdk.Span{Start: c.line.start, End: end}
		b.label = c.line.start
		if i+1 < len(cs) && len(cs[i+1].numbers) > len(c.numbers) {
			at := b.clause(c, own, len(open), true)
			open = append(open, openClause{at, len(c.numbers)})
			continue
		}
		b.clause(c, own, len(open), false)
	}
	b.closeClauses(open, 0, region.End)
}

// clause adds a clause with its own text, and gives its index. One with parts has children in any case.
func (b *builder) clause(c clause, own sdk.Span, depth int, parts bool) int {
	at := b.holder(sdk.KindClause, own, depth)
	inner := b.units[at].Span
	b.units[at].Name = c.name(b.src, inner.End, parts)
	if parts && len(b.units) == at+1 {
		b.units[at].Cut = sdk.CutChildren
		b.units = append(b.units, sdk.Unit{Depth: depth + 1, Kind: sdk.KindParagraph, Cut: sdk.CutSentences, Span: inner})
	}
	if len(b.units) > at+1 {
		if u := &b.units[at+1]; u.Kind == sdk.KindParagraph && isTitle(b.src[u.Span.Start:u.Span.End]) {
			u.Kind, u.Clings = sdk.KindHeading, true
		}
	}
	return at
}

// isTitle tells whether a text is a title: short, and no sentence.
func isTitle(text []byte) bool {
	return len(text) <= maxTitle && !bytes.ContainsAny(text[len(text)-1:], ".;,:")
}

// openClause is a clause with parts: the index of its unit, and how many numbers it has.
type openClause struct{ unit, parts int }

// closeClauses ends the open clauses that a clause of so many numbers at offset end is no part of.
func (b *builder) closeClauses(open []openClause, parts, end int) []openClause {
	for n := len(open); n > 0 && open[n-1].parts >= parts; n-- {
		u := &b.units[open[n-1].unit]
		u.Span.End = trimEnd(b.src, u.Span.Start, end)
		open = open[:n-1]
	}
	return open
}

// name is a clause's element of the breadcrumb: its first line where that is a title with text or parts below it, its
// label where a word stands in it, and nothing for a numbered sentence, which says its number itself.
func (c clause) name(src []byte, end int, parts bool) string {
	text := bytes.TrimSpace(src[c.line.start:min(c.line.end, c.line.start+maxTitle+1)])
	if isTitle(text) && (parts || c.line.end < end) {
		return oneLine(string(text))
	}
	if c.keyword {
		return oneLine(c.label)
	}
	return ""
}

// oneLine makes one blank of each run of white space; a byte order mark has no width and goes.
func oneLine(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\ufeff", "")
	return strings.Join(strings.Fields(s), " ")
}
