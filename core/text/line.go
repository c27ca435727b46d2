package text

import (
	"iter"
	"slices"

	"github.com/cleave-project/cleave/sdk"
)

// Lines gives the lines of text, each with its line ending. A line ends with LF, CR LF, or a CR that no LF follows
// (CommonMark 2.1).
func Lines(text []byte) iter.Seq[sdk.Span] {
	return func(yield func(sdk.Span) bool) {
		for start := 0; start < len(text); {
			end := lineEnd(text, start)
			if !yield(sdk.Span{Start: start, End: end}) {
				return
			}
			start = end
		}
	}
}

// lineEnd is where the line that holds text[i] ends, its line ending included.
func lineEnd(text []byte, i int) int {
	for ; i < len(text); i++ {
		switch text[i] {
		case '\n':
			return i + 1
		case '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				return i + 2
			}
			return i + 1
		}
	}
	return len(text)
}

// LineIndex finds the number of the line an offset is on. It does not keep the text.
type LineIndex struct {
	starts []int // where lines start, the first at 0
}

// NewLineIndex reads text once.
func NewLineIndex(text []byte) *LineIndex {
	x := &LineIndex{starts: []int{0}}
	for l := range Lines(text) {
		if last := text[l.End-1]; last == '\n' || last == '\r' {
			x.starts = append(x.starts, l.End)
		}
	}
	return x
}

// Line is the number of the line the byte at offset is on, counted from 1. The offset behind the last byte is on the
// last line, which is an empty one where the text ends with a line ending.
func (x *LineIndex) Line(offset int) int {
	i, found := slices.BinarySearch(x.starts, offset)
	if found {
		i++
	}
	return max(i, 1)
}

// Range is the numbers of the lines of the first and last byte of s. An empty span is on the line of its start.
func (x *LineIndex) Range(s sdk.Span) (first, last int) {
	first = x.Line(s.Start)
	if s.Len() <= 0 {
		return first, first
	}
	return first, x.Line(s.End - 1)
}

// Start is the offset at which a line starts, counted from 1; lines there are not start at the ends of the text's lines.
func (x *LineIndex) Start(line int) int {
	return x.starts[min(max(line, 1), len(x.starts))-1]
}

// Count is the number of lines, an empty last one included.
func (x *LineIndex) Count() int { return len(x.starts) }
