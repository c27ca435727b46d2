package text

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// isQuoted tells whether body ends with a quotation that the sentence around it goes on behind: `"Really?" he asked.`
// UAX #29 sees that after a period (SB8), and not after a question or exclamation mark. In Japanese the particle と
// behind the quotation says so. A mark in the middle of a word ends no sentence either. Joined tells that no space is between body and rest.
func isQuoted(body, rest []byte, joined bool) bool {
	last, _ := utf8.DecodeLastRune(body)
	next, w := utf8.DecodeRune(rest)
	switch last {
	case '?', '!': // of an address or an expression: "x.org/a?b=c"
		return joined && next < utf8.RuneSelf && (unicode.IsLower(next) || unicode.IsDigit(next))
	case '」', '』':
		return joined && (next == 'と' || next == 'っ' && bytes.HasPrefix(rest[w:], []byte("て")))
	case '"', '\'', '”', '’', '»', '“', '«': // in German “ closes, in Danish «
		return !joined && unicode.IsLower(next)
	}
	return false
}
