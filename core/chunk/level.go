package chunk

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/cleave-project/cleave/core/text"
)

// level is a kind of place where a text may be cut.
type level uint8

// The levels, from coarse to fine. byGap is behind white space and behind the commas of scripts that have no white space,
// byWord at the word boundaries of UAX #29 where what follows may begin a line. Finer than
// byGrapheme is only the edge of a character, where a single cluster exceeds the budget.
const (
	byParagraph level = iota
	byLine
	bySentence
	byGap
	byWord
	byGrapheme
	byCharacter
)

// coarse holds for levels at which a piece still is a whole of something.
func (l level) coarse() bool { return l < byGap }

// lookahead is how far behind the furthest cut segmentation looks: whether there is a boundary depends on what follows,
// but never on more than the marks around the next character or two.
const lookahead = 256

// cutsAt appends the places of a level in (from, limit], in order.
func (w *window) cutsAt(dst []int, l level, from, limit int) []int {
	switch l {
	case byParagraph, byLine:
		return w.lineCuts(dst, l, from, limit)
	case bySentence:
		ends := w.sentenceEnds()
		i, found := slices.BinarySearch(ends, from)
		if found {
			i++
		}
		for ; i < len(ends) && ends[i] <= limit; i++ {
			dst = append(dst, ends[i])
		}
		return dst
	case byGap:
		return w.gapCuts(dst, from, limit)
	}
	ahead := w.k.text[from:runeFloor(w.k.text, min(w.area.end, limit+lookahead))]
	segments := text.Graphemes
	if l == byWord {
		segments = text.Words
	}
	for s := range segments(ahead) {
		if from+s.End > limit {
			break
		}
		if l == byWord && !mayBegin(w.k.text[from+s.End:]) {
			continue
		}
		dst = append(dst, from+s.End)
	}
	return dst
}

// lineCuts is where lines begin, for byParagraph only those behind a blank line.
func (w *window) lineCuts(dst []int, l level, from, limit int) []int {
	txt, blank := w.k.text, false
	for i := from; i < limit; i++ {
		switch b := txt[i]; {
		case isBreak(b):
			if b == '\r' && i+1 < len(txt) && txt[i+1] == '\n' {
				continue
			}
			if l == byLine || blank || w.blankLine(i+1) {
				dst = append(dst, i+1)
			}
			blank = true
		case !isBlank(b):
			blank = false
		}
	}
	return dst
}

// blankLine tells whether the line that begins at i is blank.
func (w *window) blankLine(i int) bool {
	for ; i < w.area.end; i++ {
		if b := w.k.text[i]; !isBlank(b) {
			return false
		} else if isBreak(b) {
			return true
		}
	}
	return false
}

// gapCuts is where white space ends, and what stands behind a wide comma begins.
func (w *window) gapCuts(dst []int, from, limit int) []int {
	gap, pause := false, false
	for i := from; i < limit; {
		r, n := utf8.DecodeRune(w.k.text[i:])
		space := unicode.IsSpace(r) && !isTight(r)
		closing := pause && !mayBegin(w.k.text[i:])
		if (gap || pause) && !space && !closing {
			dst = append(dst, i)
		}
		gap, pause = space, isPause(r) || closing
		i += n
	}
	return dst
}

// isTight holds for spaces at which a line must not be broken.
func isTight(r rune) bool { return r == '\u00A0' || r == '\u2007' || r == '\u202F' }

// sentenceEnds is where the sentences of the area end, found once.
func (w *window) sentenceEnds() []int {
	if w.sentences == nil {
		w.sentences = []int{}
		for s := range text.Sentences(w.k.text[w.area.start:w.area.end]) {
			w.sentences = append(w.sentences, w.area.start+s.End)
		}
	}
	return w.sentences
}
