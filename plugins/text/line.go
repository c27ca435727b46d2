package main

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// maxHead is how much of a line a pattern sees, in bytes: a marker, a clause's number or a speaker stands at its start,
// and a line of ten million bytes must cost no more than a short one.
const maxHead = 256

// line is one line: its first byte, the end of its text and the start of the next line.
type line struct{ start, end, next int }

// lineAt is the line that begins at offset at. A line ends in LF, CR or CRLF.
func lineAt(src []byte, at int) line {
	n := bytes.IndexAny(src[at:], "\r\n")
	if n < 0 {
		return line{at, len(src), len(src)}
	}
	l := line{at, at + n, at + n + 1}
	if src[l.end] == '\r' && l.next < len(src) && src[l.next] == '\n' {
		l.next++
	}
	return l
}

// blank tells whether a line holds white space alone.
func (l line) blank(src []byte) bool {
	for b := src[l.start:l.end]; len(b) > 0; {
		r, n := utf8.DecodeRune(b)
		if !unicode.IsSpace(r) {
			return false
		}
		b = b[n:]
	}
	return true
}

// head is the start of a line's text.
func (l line) head(src []byte) []byte {
	return src[l.start:min(l.end, l.start+maxHead)]
}

// indent is the column of the first byte that is neither blank nor tab; a tab stands for four columns.
func indent(b []byte) int {
	n := 0
	for _, c := range b {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4 - n%4
		default:
			return n
		}
	}
	return n
}

// trimEnd moves end back over white space, not before start.
func trimEnd(src []byte, start, end int) int {
	return start + len(bytes.TrimRightFunc(src[start:end], unicode.IsSpace))
}

// announces tells whether a text ends in a colon.
func announces(text []byte) bool {
	return bytes.HasSuffix(text, []byte(":")) || bytes.HasSuffix(text, []byte("："))
}
