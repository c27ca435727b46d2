package index

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// wideWord handles what begins at text and holds, or may hold, characters beyond ASCII: a word, a run of a script that
// is written without spaces, or one character that is neither. It returns how many bytes it took.
func (a *analyzer) wideWord(text []byte) int {
	r, size := utf8.DecodeRune(text)
	if !isWord(r) {
		return size
	}
	bigrams := isBigram(r)
	i := size
	for i < len(text) {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case unicode.IsMark(r), isWord(r) && isBigram(r) == bigrams:
		case !bigrams && r < utf8.RuneSelf && classOf(byte(r)) == connector:
			size = connects(text[i:])
		default:
			size = 0
		}
		if size == 0 {
			break
		}
		i += size
	}
	word := text[:i]
	if !norm.NFKC.IsNormal(word) { // half and full width, ligatures
		a.wide = norm.NFKC.Append(a.wide[:0], word...)
		word = a.wide
	}
	if bigrams {
		a.cjk(word)
		return i
	}
	a.compound(word)
	return i + possessive(text[i:])
}

func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// isBigram tells the scripts whose words stand without spaces between them, which are indexed by pairs of characters.
// The mark of a long vowel, wide and half width, and the half width voice marks belong to no script but to katakana.
func isBigram(r rune) bool {
	if r < 0x0E00 { // Thai is the first of them
		return false
	}
	return r == 'ー' || r == 0xFF70 || r == 0xFF9E || r == 0xFF9F || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// cjk emits each pair of neighbouring characters. A row also gets the last character alone and a query of a single
// character asks for every term that begins with it, so that it finds the character wherever it stands.
func (a *analyzer) cjk(run []byte) {
	prev, size := 0, 0
	_, width := utf8.DecodeRune(run)
	single := width == len(run)
	for next := width; next < len(run); next += size {
		_, size = utf8.DecodeRune(run[next:])
		a.emit(a.exact(run[prev:next+size]), false)
		prev = next
	}
	if !a.query || single {
		a.emit(a.exact(run[prev:]), a.query)
	}
}

// exact returns a term as it is written, through the cache so that it is allocated once.
func (a *analyzer) exact(word []byte) string {
	if s, ok := a.stems[string(word)]; ok {
		return s.term
	}
	if len(a.stems) >= maxStems {
		clear(a.stems)
	}
	s := stem{term: string(word)}
	a.stems[s.term] = s
	return s.term
}
