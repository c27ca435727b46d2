package token

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// role is what a character is to BERT's basic tokenizer.
type role uint8

const (
	plain role = iota
	blank      // separates words
	alone      // a word of its own: punctuation, Chinese characters
	gone       // dropped: Cc, Cf, Co, U+FFFD; unassigned characters stay, as in the reference
)

// roleAt is the role and width of the character at text[i]. A byte that is not UTF-8 is U+FFFD.
func roleAt(text []byte, i int) (role, int) {
	if b := text[i]; b < utf8.RuneSelf {
		return asciiRole(b), 1
	}
	r, w := utf8.DecodeRune(text[i:])
	return runeRole(r), w
}

func asciiRole(b byte) role {
	switch {
	case b == ' ' || b == '\t' || b == '\n' || b == '\r':
		return blank
	case b < ' ' || b == 0x7f:
		return gone
	case '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z':
		return plain
	}
	return alone
}

// runeRole looks at the character as it was for white space, control and Chinese characters, and as it is after
// decomposition for punctuation, in the order of BERT's normalizer: U+2260, not equal, becomes an equals sign.
func runeRole(r rune) role {
	switch {
	case r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co):
		return gone
	case unicode.IsSpace(r):
		return blank
	case isChinese(r):
		return alone
	}
	if d := decompose(r); len(d) > 0 {
		r, _ = utf8.DecodeRune(d)
	}
	switch {
	case r < utf8.RuneSelf && asciiRole(byte(r)) == alone, unicode.IsPunct(r):
		return alone
	case unicode.IsSpace(r):
		return blank
	}
	return plain
}

// isChinese holds for the blocks BERT treats as Chinese characters: ideographs, not kana or Hangul.
func isChinese(r rune) bool {
	for _, b := range chinese {
		if b[0] <= r && r <= b[1] {
			return true
		}
	}
	return false
}

var chinese = [...][2]rune{
	{0x4e00, 0x9fff}, {0x3400, 0x4dbf}, {0xf900, 0xfaff}, {0x20000, 0x2a6df}, {0x2a700, 0x2b73f},
	{0x2b740, 0x2b81f}, {0x2b820, 0x2ceaf}, {0x2f800, 0x2fa1f},
}

// decompose is the canonical decomposition (NFD) of r, nil where that is r itself. It is taken of each character
// alone: the order of marks, which NFD also settles, would differ only for marks that are kept (Mn are dropped), and
// those are in no uncased vocabulary.
func decompose(r rune) []byte {
	var buf [utf8.UTFMax]byte
	c := buf[:utf8.EncodeRune(buf[:], r)]
	if firstSyllable <= r && r <= lastSyllable {
		return norm.NFD.Bytes(c)
	}
	return norm.NFD.Properties(c).Decomposition()
}

// Hangul syllables decompose by arithmetic, which is not in the tables behind norm's Properties.
const (
	firstSyllable = 0xac00
	lastSyllable  = 0xd7a3
)

// appendNormal appends a pre-token as BERT's normalizer leaves it: without white space, dropped characters and accents
// (Mn), in lower case.
func appendNormal(dst, piece []byte) []byte {
	for i := 0; i < len(piece); {
		var w int
		dst, w = appendNormalRune(dst, piece[i:])
		i += w
	}
	return dst
}

// appendNormalRune appends what the first character of text becomes and returns that character's width.
func appendNormalRune(dst, text []byte) ([]byte, int) {
	if b := text[0]; b < utf8.RuneSelf {
		switch k := asciiRole(b); {
		case k == blank || k == gone:
			return dst, 1
		case 'A' <= b && b <= 'Z':
			b |= 0x20
		}
		return append(dst, b), 1
	}
	r, w := utf8.DecodeRune(text)
	if k := runeRole(r); k == blank || k == gone {
		return dst, w
	}
	d := decompose(r)
	if d == nil {
		return appendBase(dst, r), w
	}
	for len(d) > 0 {
		r, n := utf8.DecodeRune(d)
		dst = appendBase(dst, r)
		d = d[n:]
	}
	return dst, w
}

func appendBase(dst []byte, r rune) []byte {
	if unicode.Is(unicode.Mn, r) {
		return dst
	}
	return utf8.AppendRune(dst, unicode.ToLower(r))
}

// word is a normalized pre-token with the way back: byte i of text was made from piece[start[i]:end[i]].
type word struct {
	text       []byte
	start, end []int32
}

func (w *word) read(piece []byte) {
	w.text, w.start, w.end = w.text[:0], w.start[:0], w.end[:0]
	for i := 0; i < len(piece); {
		var n int
		w.text, n = appendNormalRune(w.text, piece[i:])
		for len(w.start) < len(w.text) {
			w.start = append(w.start, int32(i))
			w.end = append(w.end, int32(i+n))
		}
		i += n
	}
}
