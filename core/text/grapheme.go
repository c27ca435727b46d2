package text

import (
	"iter"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"github.com/cleave-project/cleave/sdk"
)

// Graphemes gives the extended grapheme clusters of text (UAX #29, section 3): what people take for one character.
func Graphemes(text []byte) iter.Seq[sdk.Span] {
	return func(yield func(sdk.Span) bool) {
		for it := graphemes.FromBytes(text); it.Next(); {
			if !yield(sdk.Span{Start: it.Start(), End: it.End()}) {
				return
			}
		}
	}
}

// graphemeReach is how far back GraphemeBoundary looks for a place to start from. Clusters of people's languages have a
// few dozen bytes, families of emoji included; in one longer than this the boundary found may be inside it.
const graphemeReach = 1024

// GraphemeBoundary is the last boundary between grapheme clusters at or before i; 0 and len(text) are boundaries. It
// looks at no more than about graphemeReach bytes before i.
func GraphemeBoundary(text []byte, i int) int {
	if i >= len(text) {
		return len(text)
	}
	i = runeStart(text, i)
	from := safeStart(text, i)
	if from == i {
		return i
	}
	// Whether there is a boundary at i depends on what stands before i and on the character after it.
	_, w := utf8.DecodeRune(text[i:])
	last := from
	for it := graphemes.FromBytes(text[from : i+w]); it.Next(); {
		if from+it.Start() > i {
			break
		}
		last = from + it.Start()
	}
	return last
}

// IsGraphemeBoundary tells whether a cut at i keeps grapheme clusters whole.
func IsGraphemeBoundary(text []byte, i int) bool {
	return i >= 0 && i <= len(text) && GraphemeBoundary(text, i) == i
}

// safeStart is the last position at or before i that is a boundary whatever stands around it, or one about
// graphemeReach before i.
func safeStart(text []byte, i int) int {
	limit := max(0, i-graphemeReach)
	for ; i > limit; i = runeStart(text, i-1) {
		before, _ := utf8.DecodeLastRune(text[:i])
		after, _ := utf8.DecodeRune(text[i:])
		if before == '\n' || standsAlone(before) && standsAlone(after) {
			return i
		}
	}
	return i
}

// standsAlone holds for characters between two of which there always is a boundary, since no rule but the last (GB999)
// speaks of them: printing ASCII, and the letters of scripts that write no cluster of several letters. Modifier letters
// are left out: some of them extend a cluster.
func standsAlone(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= ' ' && r != 0x7f
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Latin, unicode.Cyrillic, unicode.Greek) &&
		unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lo)
}

// runeStart is where the character starts that holds text[i].
func runeStart(text []byte, i int) int {
	for j := i; j > 0 && j > i-utf8.UTFMax; j-- {
		if utf8.RuneStart(text[j]) {
			return j
		}
	}
	return i
}
