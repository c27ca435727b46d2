package outline

import (
	"unicode/utf8"

	"github.com/cleave-project/cleave/sdk"
)

func (c *checker) span(s sdk.Span, unit int, what string) *Error {
	return spanIn(c.text, s, unit, what, true)
}

// spanIn checks that s lies in text and, where characters are told, that neither end cuts one.
func spanIn(text []byte, s sdk.Span, unit int, what string, characters bool) *Error {
	if s.Start < 0 || s.End < s.Start || s.End > len(text) {
		return broken(RuleRange, unit, s.Start, "%s [%d,%d) of a text of %d bytes", what, s.Start, s.End, len(text))
	}
	if !characters {
		return nil
	}
	if cutsRune(text, s.Start) {
		return broken(RuleBoundary, unit, s.Start, "%s begins inside a character", what)
	}
	if cutsRune(text, s.End) {
		return broken(RuleBoundary, unit, s.End, "%s ends inside a character", what)
	}
	return nil
}

func cutsRune(text []byte, at int) bool { return at < len(text) && !utf8.RuneStart(text[at]) }

// invalidAt is the offset of the first byte that is not UTF-8.
func invalidAt(text []byte) int {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(text)
}
