package sdk

import (
	"bytes"
	"unicode"
)

// IsSpace tells what counts as space wherever something must not be lost: every other character of a document is in a
// chunk, or in a skipped span with a reason. Space is Unicode's White_Space, of which the ASCII part is tab, line feed,
// vertical tab, form feed, carriage return and blank, and the byte order mark U+FEFF, which within a text is a space of
// no width (Unicode 23.8). Bytes that are not UTF-8 are no space.
//
// Space may still be in a chunk: ASCII space is left out at a chunk's ends, other space only where a chunk would have
// nothing else.
func IsSpace(r rune) bool { return r == '\uFEFF' || unicode.IsSpace(r) }

// Blank tells whether text has nothing but space.
func Blank(text []byte) bool {
	return bytes.IndexFunc(text, func(r rune) bool { return !IsSpace(r) }) < 0
}
