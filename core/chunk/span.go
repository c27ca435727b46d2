package chunk

import (
	"bytes"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/text"
)

// span is a half-open range of bytes of the text, as package object's but of ints.
type span struct{ start, end int }

func spanOf(s object.Span) span { return span{int(s.Start), int(s.End)} }

func (s span) object() object.Span { return object.Span{Start: int64(s.start), End: int64(s.end)} }

func (s span) contains(t span) bool { return s.start <= t.start && t.end <= s.end }

// isBlank holds for the white space that chunks leave out at their ends. It is ASCII only: what other space there is
// (sdk.IsSpace) stays with the text beside it.
func isBlank(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }

func isBreak(b byte) bool { return b == '\n' || b == '\r' }

// trim is s without leading blank lines and trailing white space. The first line keeps its indentation, but white
// space in the middle of a line is none. The result is empty (start at s.end) where there is nothing but white space.
func trim(txt []byte, s span) span {
	start := lead(txt, s)
	end := s.end
	for end > start && isBlank(txt[end-1]) {
		end--
	}
	if end <= start {
		return span{s.end, s.end}
	}
	return span{start, end}
}

// lead is where s begins once blank lines are left out.
func lead(txt []byte, s span) int {
	line := s.start
	midLine := line > 0 && !isBreak(txt[line-1])
	for i := s.start; i < s.end; i++ {
		switch b := txt[i]; {
		case isBreak(b):
			line, midLine = i+1, false
		case !isBlank(b) && midLine: // a blank with a mark on it is no blank
			return whole(txt, i, s.start-1)
		case !isBlank(b):
			return line
		}
	}
	return s.end
}

// boundary is where the tile of the unit before ends and that of the next one begins: bytes between two siblings go
// with the sibling on the same line, else with the one before.
func boundary(txt []byte, before, next span) int {
	at := next.start
	if i := bytes.LastIndexAny(txt[before.end:next.start], "\r\n"); i >= 0 {
		at = before.end + i + 1
	} else if isBreak(txt[before.end-1]) {
		at = before.end
	}
	return whole(txt, at, before.start)
}

// whole moves a cut back to where no grapheme cluster is cut, if that is behind floor.
func whole(txt []byte, at, floor int) int {
	if at <= 0 || at >= len(txt) {
		return at
	}
	if txt[at-1] < 0x80 && txt[at] < 0x80 && !(txt[at-1] == '\r' && txt[at] == '\n') {
		return at
	}
	if b := text.GraphemeBoundary(txt, at); b > floor {
		return b
	}
	return at
}
