package ignore

import (
	"slices"
	"strings"
)

// step is one position of a compiled pattern. A match walks from the first to behind the last, one byte of the name
// at a time, at all positions it can be at together: no pattern makes it go back.
type step struct {
	kind kind
	char byte
	set  *class
}

type kind byte

const (
	char  kind = iota // the byte char
	other             // any byte but a slash
	set               // a byte of set, which never holds a slash
	star              // any number of bytes but slashes
	stars             // any number of bytes
	dirs              // the start of "**/": either nothing at all or stars and a slash, the two steps that follow
	never             // no byte and no end: what git gives up on
)

// compile reads a pattern from its first wildcard on.
func compile(text string) []step {
	out := []step{} // never nil: nil stands for a pattern without a wildcard
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '\\':
			if i+1 == len(text) {
				return append(out, step{kind: never})
			}
			out = append(out, step{kind: char, char: text[i+1]})
			i += 2
		case '?':
			out = append(out, step{kind: other})
			i++
		case '*':
			n := len(text[i:]) - len(strings.TrimLeft(text[i:], "*"))
			alone := n > 1 && (i == 0 || text[i-1] == '/')
			out = append(out, starSteps(text[i+n:], alone)...)
			i += n
		case '[':
			s, n := parseClass(text[i:])
			if n == 0 {
				return append(out, step{kind: never})
			}
			s.remove('/')
			out = append(out, step{kind: set, set: s})
			i += n
		default:
			out = append(out, step{kind: char, char: c})
			i++
		}
	}
	return out
}

// starSteps are the steps of a run of stars; alone says that it is "**" with nothing but a slash before it.
func starSteps(after string, alone bool) []step {
	switch {
	case alone && strings.HasPrefix(after, "/"):
		return []step{{kind: dirs}, {kind: stars}}
	case alone && (after == "" || strings.HasPrefix(after, `\/`)):
		return []step{{kind: stars}}
	}
	return []step{{kind: star}}
}

// matchSteps tells whether steps match the whole of name.
func matchSteps(steps []step, name string) bool {
	var onStack [2][64]bool // most patterns are shorter
	at, next := onStack[0][:], onStack[1][:]
	if len(steps) >= len(at) {
		at, next = make([]bool, len(steps)+1), make([]bool, len(steps)+1)
	}
	at, next = at[:len(steps)+1], next[:len(steps)+1]
	enter(steps, at, 0)
	for i := range len(name) {
		if !slices.Contains(at, true) {
			return false
		}
		clear(next)
		for j, here := range at[:len(steps)] {
			if here {
				advance(steps, next, j, name[i])
			}
		}
		at, next = next, at
	}
	return at[len(steps)]
}

// enter marks position i and those that are reached from it without a byte.
func enter(steps []step, at []bool, i int) {
	if at[i] {
		return
	}
	at[i] = true
	if i == len(steps) {
		return
	}
	switch steps[i].kind {
	case star, stars:
		enter(steps, at, i+1)
	case dirs:
		enter(steps, at, i+1)
		enter(steps, at, i+3)
	}
}

// advance marks in next where the byte c leads from position i.
func advance(steps []step, next []bool, i int, c byte) {
	s := steps[i]
	switch s.kind {
	case char:
		if c != s.char {
			return
		}
	case other:
		if c == '/' {
			return
		}
	case set:
		if !s.set.has(c) {
			return
		}
	case star:
		if c != '/' {
			enter(steps, next, i)
		}
		return
	case stars:
		enter(steps, next, i)
		return
	case dirs, never:
		return
	}
	enter(steps, next, i+1)
}
