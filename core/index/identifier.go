package index

import (
	"unicode"
	"unicode/utf8"
)

// part is a span of a compound word, and the run of letters and digits it belongs to.
type part struct{ start, end, run int }

// letter says what a character is to the borders of a compound.
type letter uint8

const (
	lowerLetter letter = iota
	upperLetter
	number
	joiner
)

func letterOf(r rune) letter {
	switch {
	case r == '_' || r == '-' || r == '.':
		return joiner
	case unicode.IsUpper(r):
		return upperLetter
	case unicode.IsNumber(r):
		return number
	}
	return lowerLetter
}

// compound emits a word that has borders in it: each part, each run of parts as a whole, and the runs together without
// their connectors. So getUserName, get_user_name and get-user-name share get, user, name and getusername.
func (a *analyzer) compound(word []byte) {
	a.split(word)
	if len(a.parts) == 1 {
		a.plain(word[a.parts[0].start:a.parts[0].end])
		return
	}
	for first := 0; first < len(a.parts); {
		end := first + 1
		for end < len(a.parts) && a.parts[end].run == a.parts[first].run {
			end++
		}
		a.run(word, a.parts[first:end])
		first = end
	}
	a.whole(word)
}

// run emits the parts of one run and the run itself.
func (a *analyzer) run(word []byte, parts []part) {
	whole := word[parts[0].start:parts[len(parts)-1].end]
	if len(parts) > 1 && len(parts) <= maxParts && len(whole) <= maxTerm {
		for _, p := range parts {
			a.emit(a.stem(word[p.start:p.end]).term, false)
		}
	}
	a.emit(a.stem(whole).term, false)
}

// whole emits several runs as one term. What is longer than a term is no name and is not joined.
func (a *analyzer) whole(word []byte) {
	if a.parts[0].run == a.parts[len(a.parts)-1].run {
		return
	}
	a.joined = a.joined[:0]
	for _, p := range a.parts {
		a.joined = append(a.joined, word[p.start:p.end]...)
		if len(a.joined) > maxTerm {
			return
		}
	}
	a.emit(a.stem(a.joined).term, false)
}

// split finds the parts of a word: borders are connectors, letter against digit, small against capital letter, and the
// last capital of several before a small one (HTTP|Server).
func (a *analyzer) split(word []byte) {
	a.parts = a.parts[:0]
	run, start := 0, 0
	last, lastAt := joiner, 0
	wasUpper := false // the character before last was a capital of the same part
	for i := 0; i < len(word); {
		r, size := utf8.DecodeRune(word[i:])
		kind := letterOf(r)
		switch {
		case unicode.IsMark(r):
			i += size
			continue
		case kind == joiner:
			if start < i {
				a.parts = append(a.parts, part{start, i, run})
				run++
			}
			start = i + size
		case last == joiner:
			start = i
		case last == upperLetter && kind == lowerLetter && wasUpper:
			if start < lastAt {
				a.parts = append(a.parts, part{start, lastAt, run})
			}
			start = lastAt
		case last != kind && !(last == upperLetter && kind == lowerLetter):
			a.parts = append(a.parts, part{start, i, run})
			start = i
		}
		wasUpper = last == upperLetter && kind == upperLetter && start < i
		last, lastAt = kind, i
		i += size
	}
	if start < len(word) {
		a.parts = append(a.parts, part{start, len(word), run})
	}
}
