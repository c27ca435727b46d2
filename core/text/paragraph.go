package text

import (
	"iter"

	"github.com/cleave-project/cleave/sdk"
)

// Paragraphs gives the paragraphs of text: runs of lines up to and including the blank lines that follow them. A blank
// line has nothing but spaces, tabs and page breaks. Blank lines before the first paragraph belong to it.
func Paragraphs(text []byte) iter.Seq[sdk.Span] {
	return func(yield func(sdk.Span) bool) {
		start, words, blank := 0, false, false
		for l := range Lines(text) {
			b := isBlank(text[l.Start:l.End])
			if !b && blank && words {
				if !yield(sdk.Span{Start: start, End: l.Start}) {
					return
				}
				start = l.Start
			}
			blank = b
			words = words || !b
		}
		if start < len(text) {
			yield(sdk.Span{Start: start, End: len(text)})
		}
	}
}

func isBlank(line []byte) bool {
	for _, b := range line {
		if b != ' ' && (b < '\t' || b > '\r') {
			return false
		}
	}
	return true
}
