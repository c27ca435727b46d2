package token

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// BPE is one of the published byte pair encodings. Literal special tokens such as <|endoftext|> are ordinary text. Bytes
// that are not UTF-8 are tokenized as the bytes they are; a model's own client would replace them by U+FFFD first.
// Letters are letters by the Unicode version of package unicode.
type BPE struct {
	name    string
	hash    string
	vocab   *vocabulary
	classes *classes
	pattern pattern
}

// pattern finds the end of the pre-token that starts at text[i], as segmenter's next.
type pattern func(c *classes, text []byte, i int) (end int, open bool)

func loadEncoding(name string, p pattern) (*BPE, error) {
	file, err := assets.Assets.ReadFile(name + ".tiktoken")
	if err != nil {
		return nil, fmt.Errorf("read vocabulary of %s: %w", name, err)
	}
	v, err := parseVocabulary(file)
	if err != nil {
		return nil, fmt.Errorf("read vocabulary of %s: %w", name, err)
	}
	sum := sha256.Sum256(file)
	return &BPE{name: name, hash: hex.EncodeToString(sum[:]), vocab: v, classes: shared(), pattern: p}, nil
}

func (b *BPE) Name() string { return b.name }
func (b *BPE) Hash() string { return b.hash }
func (b *BPE) Special() int { return 0 }

func (b *BPE) Count(text []byte) int { return count(b, text) }

func (b *BPE) Offsets(dst []int, text []byte) []int {
	for i := 0; i < len(text); {
		end, _ := b.next(text, i)
		b.split(text[i:end], func(e int) { dst = append(dst, i+e) })
		i = end
	}
	return dst
}

// Encode appends the numbers of text's tokens.
func (b *BPE) Encode(dst []int, text []byte) []int {
	start := 0
	for _, end := range b.Offsets(nil, text) {
		dst = append(dst, int(b.vocab.rank(text[start:end])))
		start = end
	}
	return dst
}

// split calls part with the end of each token of a pre-token, unless part is nil, and returns their number.
func (b *BPE) split(piece []byte, part func(end int)) int {
	if b.vocab.rank(piece) == none {
		return b.vocab.merge(piece, part)
	}
	if part != nil {
		part(len(piece))
	}
	return 1
}

func (b *BPE) next(text []byte, i int) (int, bool) { return b.pattern(b.classes, text, i) }

func (b *BPE) weigh(piece []byte) int { return b.split(piece, nil) }

// tail is where the white space at the end of text begins. The patterns say what must follow in one place only,
// \s+(?!\S), which asks whether the run of white space goes on or ends the text. All else that matches within text
// matches in the same way when text goes on, and the other way round.
func (b *BPE) tail(text []byte) int {
	i := len(text)
	for i > 0 {
		j := previous(text, i)
		if k, _ := b.classes.at(text, j); k&space == 0 {
			break
		}
		i = j
	}
	return i
}

// count adds up pre-tokens.
func count(s segmenter, text []byte) int {
	n := 0
	for i := 0; i < len(text); {
		end, _ := s.next(text, i)
		n += s.weigh(text[i:end])
		i = end
	}
	return n
}
