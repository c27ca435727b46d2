package text

import (
	"bytes"
	"iter"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"

	"github.com/cleave-project/cleave/sdk"
)

// Sentences gives the sentences of text (A10), each with the white space after it: the boundaries of UAX #29, section 5,
// with these differences.
//
//   - A single line ending is a space: a hard-wrapped line does not end a sentence. A blank line always does.
//   - A line that begins with the marker of a list item begins a sentence: a bullet, or a number or letter that goes on
//     counting.
//   - Opening brackets and quotes between two sentences without a space belong to the second.
//   - A quotation ends no sentence that goes on behind it in lower case, or in Japanese with と.
//   - The period of an abbreviation, an initial, an ordinal or the number of a list item ends no sentence; where an
//     abbreviation may also stand last in a sentence ("etc.", "U.S."), it does so before a word that begins sentences.
func Sentences(text []byte) iter.Seq[sdk.Span] {
	return func(yield func(sdk.Span) bool) {
		s := joiner{text: text, yield: yield}
		var flat []byte
		for p := range Paragraphs(text) {
			for piece := range pieces(text, p) {
				flat = flatten(flat[:0], text[piece.Start:piece.End])
				if !s.split(flat, piece.Start) {
					return
				}
			}
		}
		s.flush()
	}
}

// flatten appends text with a space in place of each byte of a line ending, so that offsets stay as they are.
func flatten(dst, text []byte) []byte {
	dst = append(dst, text...)
	for i, b := range dst {
		if b == '\n' || b == '\r' {
			dst[i] = ' '
		}
	}
	return dst
}

// joiner gives out sentences and holds the last one back, since white space that is found to stand alone goes to it.
type joiner struct {
	text  []byte
	yield func(sdk.Span) bool
	held  sdk.Span
}

// split finds the sentences of one piece of the text, which begins at base.
func (s *joiner) split(flat []byte, base int) bool {
	start := 0
	for it := sentences.FromBytes(flat); it.Next(); {
		end := it.End()
		marker := end-start <= longestMarker && s.lineStart(base+start)
		if end < len(flat) && goesOn(flat[start:end], flat[end:], marker) {
			continue
		}
		if end < len(flat) {
			end = beforeOpening(flat[:end], start)
		}
		if !s.put(sdk.Span{Start: base + start, End: base + end}) {
			return false
		}
		start = end
	}
	return true
}

// longestMarker bounds what is looked at as the marker of a list item, indentation and the space after it included.
const longestMarker = 64

// beforeOpening is the end of flat without the opening punctuation it ends with. UAX #29 counts all brackets and quotes as
// closing, which does no harm where a space is before them.
func beforeOpening(flat []byte, start int) int {
	end := len(flat)
	for end > start {
		r, w := utf8.DecodeLastRune(flat[:end])
		if !unicode.In(r, unicode.Ps, unicode.Pi) {
			return end
		}
		end -= w
	}
	return len(flat)
}

// lineStart tells whether nothing but white space is in front of i on its line.
func (s *joiner) lineStart(i int) bool {
	for ; i > 0; i-- {
		switch b := s.text[i-1]; b {
		case '\n', '\r':
			return true
		case ' ', '\t':
		default:
			return false
		}
	}
	return true
}

func (s *joiner) put(next sdk.Span) bool {
	if s.held.Len() == 0 {
		s.held = next
		return true
	}
	if s.blank(next) || s.blank(s.held) {
		s.held.End = next.End
		return true
	}
	held := s.held
	s.held = next
	return s.yield(held)
}

func (s *joiner) blank(x sdk.Span) bool { return len(bytes.TrimSpace(s.text[x.Start:x.End])) == 0 }

func (s *joiner) flush() {
	if s.held.Len() > 0 {
		s.yield(s.held)
	}
}

// farAhead bounds what UAX #29's rule SB8 looks through: after a period it asks whether the next letter is lower case,
// and it asks again at each space and closing bracket that follows. Where no letter comes within this many bytes the
// text is cut at the next space, or at four times as many bytes. No sentence goes on over such a gap.
const farAhead = 256

// pieces cuts a paragraph where a sentence begins for certain: at lines that begin list items, and far behind a period
// that nothing readable follows.
func pieces(text []byte, p sdk.Span) iter.Seq[sdk.Span] {
	return func(yield func(sdk.Span) bool) {
		start, period := p.Start, -1
		var list counter
		for l := range Lines(text[p.Start:p.End]) {
			from, to := p.Start+l.Start, p.Start+l.End
			if list.begins(text[from:to]) && from > start {
				if !yield(sdk.Span{Start: start, End: from}) {
					return
				}
				start, period = from, -1
			}
			for i := from; i < to; {
				w, k := kindAt(text, i, period >= 0)
				switch {
				case k == periodKind:
					period = i
				case k == letterKind:
					period = -1
				case period >= 0 && farGap(text[i], i-period):
					if !yield(sdk.Span{Start: start, End: i + w}) {
						return
					}
					start, period = i+w, -1
				}
				i += w
			}
		}
		if start < p.End {
			yield(sdk.Span{Start: start, End: p.End})
		}
	}
}

func farGap(b byte, gap int) bool {
	return gap >= farAhead && (b == ' ' || b == '\n') || gap >= 4*farAhead
}

type charKind uint8

const (
	otherKind charKind = iota
	letterKind
	periodKind
)

// kindAt is the width and kind of the character at text[i]. Letters beyond ASCII are told apart only where asked.
func kindAt(text []byte, i int, letters bool) (int, charKind) {
	switch b := text[i]; {
	case b == '.':
		return 1, periodKind
	case 'a' <= b|0x20 && b|0x20 <= 'z':
		return 1, letterKind
	case b < utf8.RuneSelf:
		return 1, otherKind
	}
	r, w := utf8.DecodeRune(text[i:])
	switch {
	case r == '․' || r == '﹒' || r == '．':
		return w, periodKind
	case letters && isLetter(r):
		return w, letterKind
	}
	return w, otherKind
}
