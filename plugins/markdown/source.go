package main

import (
	"bytes"

	"github.com/cleave-project/cleave/sdk"
)

const (
	// maxLines bounds memory: the parser keeps about 200 bytes for a line that is not blank. The Markdown of real
	// projects has 17,000 such lines in a megabyte, so that the largest file a source takes by default is below it.
	maxLines = 3 << 19
	// maxUnits bounds it again: a unit takes up to 500 bytes, and two bytes of text can be one. Real documents have
	// 8,000 units in a megabyte.
	maxUnits = 1 << 20
)

// checkLines refuses content with too many lines.
func checkLines(content []byte) error {
	if n := len(content); n <= maxLines {
		return nil
	}
	n, blank := 0, true
	for _, c := range content {
		switch {
		case c == '\n' || c == '\r':
			blank = true
		case blank && !isSpace(c):
			blank = false
			n++
		}
	}
	if n > maxLines {
		return sdk.Errorf(sdk.CodeTooLarge, "%d lines of Markdown, at most %d are taken: split the file", n, maxLines)
	}
	return nil
}

// lineFeeds gives a copy of the same length in which each line ends in LF: a lone CR becomes LF and the CR of a CRLF a
// blank (CommonMark section 2.1). Without a CR it is content itself, which the parser only reads.
func lineFeeds(content []byte) []byte {
	if bytes.IndexByte(content, '\r') < 0 {
		return content
	}
	c := bytes.Clone(content)
	for i, b := range c {
		if b != '\r' {
			continue
		}
		c[i] = '\n'
		if i+1 < len(c) && c[i+1] == '\n' {
			c[i] = ' '
		}
	}
	return c
}

// lineStart is the offset of the first byte of the line that holds offset at.
func lineStart(src []byte, at int) int {
	return bytes.LastIndexByte(src[:min(at, len(src))], '\n') + 1
}

// lineEnd is the offset of the LF that ends the line that holds offset at, or the length of src.
func lineEnd(src []byte, at int) int {
	if at >= len(src) {
		return len(src)
	}
	if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(src)
}

// trimEnd moves end back over white space, not before start.
func trimEnd(src []byte, start, end int) int {
	for end > start && isSpace(src[end-1]) {
		end--
	}
	return end
}

func isSpace(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' }
