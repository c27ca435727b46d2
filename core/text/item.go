package text

import "unicode/utf8"

// counter follows the markers of list items through the lines of a paragraph.
type counter struct {
	number, letter int // the last of each, 0 for none
}

// begins tells whether a line begins a list item. A number may also begin a line because a sentence was wrapped there,
// so it counts only as 1 or as the one after the last; a letter likewise.
func (c *counter) begins(line []byte) bool {
	for len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
		line = line[1:]
	}
	if r, w := utf8.DecodeRune(line); isBullet(r) {
		return startsBlank(line[w:])
	}
	n, w := leadingNumber(line)
	switch {
	case w > 0 && isItemEnd(line[w:], ".)"):
		return goOn(&c.number, n)
	case len(line) > 1 && 'a' <= line[0] && line[0] <= 'z' && isItemEnd(line[1:], ")"):
		return goOn(&c.letter, int(line[0]-'a')+1)
	}
	return false
}

// goOn tells whether n is 1 or the number after *last, and notes it if so.
func goOn(last *int, n int) bool {
	if n != 1 && (*last == 0 || n != *last+1) {
		return false
	}
	*last = n
	return true
}

func isBullet(r rune) bool {
	switch r {
	case '-', '*', '+', '•', '‣', '◦', '▪':
		return true
	}
	return false
}

// leadingNumber is the number of up to three digits that line begins with, and its width.
func leadingNumber(line []byte) (n, width int) {
	for width < len(line) && width < 3 && '0' <= line[width] && line[width] <= '9' {
		n = 10*n + int(line[width]-'0')
		width++
	}
	return n, width
}

// isItemEnd tells whether rest is one of the marks and white space.
func isItemEnd(rest []byte, marks string) bool {
	if len(rest) == 0 {
		return false
	}
	for _, m := range []byte(marks) {
		if rest[0] == m {
			return startsBlank(rest[1:])
		}
	}
	return false
}

func startsBlank(b []byte) bool { return len(b) > 0 && (b[0] == ' ' || b[0] == '\t') }
