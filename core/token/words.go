package token

import (
	"crypto/sha256"
	"encoding/hex"
	"unicode"
	"unicode/utf8"
)

// Words counts maximal runs of characters that are not white space (Unicode's White_Space). It is no model's tokenizer;
// it serves budgets counted in words, and tests.
type Words struct{}

func (Words) Name() string { return "words" }

// Hash is that of the rule, since there is no file.
func (Words) Hash() string {
	sum := sha256.Sum256([]byte("words: maximal runs of characters that are not White_Space"))
	return hex.EncodeToString(sum[:])
}

func (Words) Special() int { return 0 }

func (w Words) Count(text []byte) int { return count(w, text) }

func (w Words) Offsets(dst []int, text []byte) []int {
	first := len(dst)
	for i := 0; i < len(text); {
		end, _ := w.next(text, i)
		if w.weigh(text[i:end]) > 0 {
			dst = append(dst, end)
		}
		i = end
	}
	if len(dst) > first {
		dst[len(dst)-1] = len(text)
	}
	return dst
}

// next takes a run of white space or a run of anything else.
func (Words) next(text []byte, i int) (int, bool) {
	r, w := utf8.DecodeRune(text[i:])
	blank := unicode.IsSpace(r)
	for i += w; i < len(text); i += w {
		if r, w = utf8.DecodeRune(text[i:]); unicode.IsSpace(r) != blank {
			return i, false
		}
	}
	return i, true
}

func (Words) weigh(piece []byte) int {
	if r, _ := utf8.DecodeRune(piece); unicode.IsSpace(r) {
		return 0
	}
	return 1
}

// tail is the end: no rule looks at what follows.
func (Words) tail(text []byte) int { return len(text) }
