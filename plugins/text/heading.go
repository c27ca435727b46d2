package main

import "bytes"

// minUnderline is how many signs underline a heading: fewer are a typing slip or a dash.
const minUnderline = 3

// isUnderlined tells whether the block from l to end is a heading of a plain text: a title, and below it a line of one
// sign.
func isUnderlined(src []byte, l line, end int) bool {
	if l.next >= end {
		return false
	}
	under := lineAt(src, l.next)
	if under.end < end || !isTitle(bytes.TrimSpace(src[l.start:l.end])) {
		return false
	}
	signs := bytes.TrimSpace(src[under.start:under.end])
	return len(signs) >= minUnderline && bytes.IndexByte([]byte("=-~^*#"), signs[0]) >= 0 &&
		len(bytes.Trim(signs, string(signs[:1]))) == 0
}
