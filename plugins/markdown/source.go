package main

import (
	"bytes"

	"github.com/cleave-project/cleave/sdk"
)

// maxLines bounds memory: the parser keeps about 200 bytes for a line, so that two million lines of a few bytes take
// 400 MB. The longest text anyone wrote by hand has some tens of thousands.
const maxLines = 2 << 20

func checkLines(content []byte) error {
	n := bytes.Count(content, []byte{'\n'}) + bytes.Count(content, []byte{'\r'})
	if n/2 <= maxLines && n-bytes.Count(content, []byte("\r\n")) <= maxLines {
		return nil
	}
	return sdk.Errorf(sdk.CodeTooLarge, "more than %d lines of Markdown: split the file", maxLines)
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
