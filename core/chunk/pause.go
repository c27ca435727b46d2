package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Scripts without white space show the parts of a sentence by punctuation, and there are characters that begin no line
// and so no piece either (UAX #14, classes CL, CP, EX, IS and NS; JIS X 4051 calls the rules kinsoku).

// isPause holds for commas that no white space follows.
func isPause(r rune) bool {
	switch r {
	case '、', '，', '；', '：', '､':
		return true
	}
	return false
}

// noStart is what begins no line beside closing brackets and quotes.
const noStart = ",.;:!?%…‥、。，．・：；？！％～ー々ゝゞヽヾ､｡｣｡！？ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ"

// mayBegin tells whether a piece may begin with text, which is not empty unless the document ends there.
func mayBegin(text []byte) bool {
	r, _ := utf8.DecodeRune(text)
	return !unicode.In(r, unicode.Pe, unicode.Pf) && !strings.ContainsRune(noStart, r)
}
