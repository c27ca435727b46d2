package index

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// appendFolded appends word in lower case, with accents and points taken off: "Straße" gives "strasse", "Ünï" "uni".
func appendFolded(dst, word []byte) []byte {
	for i, c := range word {
		if c >= utf8.RuneSelf {
			return appendWideFolded(dst, word[i:])
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// appendWideFolded decomposes (NFD) and drops the marks of alphabets that are read without them.
func appendWideFolded(dst, word []byte) []byte {
	var it norm.Iter
	for it.Init(norm.NFD, word); !it.Done(); {
		for segment := it.Next(); len(segment) > 0; {
			r, size := utf8.DecodeRune(segment)
			segment = segment[size:]
			if !isPoint(r) {
				dst = appendLetter(dst, unicode.ToLower(r))
			}
		}
	}
	return dst
}

// isPoint tells the marks of the Latin, Greek, Cyrillic, Hebrew and Arabic alphabets. The marks of Indic scripts are
// vowels and stay.
func isPoint(r rune) bool {
	switch {
	case 0x0300 <= r && r <= 0x036F: // combining diacritical marks
		return true
	case 0x0591 <= r && r <= 0x05C7: // Hebrew accents and points
		return unicode.Is(unicode.Mn, r)
	case 0x064B <= r && r <= 0x065F, r == 0x0670: // Arabic harakat
		return true
	}
	return false
}

// appendLetter spells out the Latin letters that do not decompose.
func appendLetter(dst []byte, r rune) []byte {
	switch r {
	case 'ß', 'ẞ':
		return append(dst, "ss"...)
	case 'æ':
		return append(dst, "ae"...)
	case 'œ':
		return append(dst, "oe"...)
	case 'ø':
		return append(dst, 'o')
	case 'ł':
		return append(dst, 'l')
	case 'đ', 'ð':
		return append(dst, 'd')
	case 'ı':
		return append(dst, 'i')
	}
	return utf8.AppendRune(dst, r)
}
