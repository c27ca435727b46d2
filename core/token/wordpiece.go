package token

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"unicode/utf8"
)

// WordPiece is the tokenizer of BERT's uncased models and of those that took it over (MiniLM, bge-en, e5-en, gte-en):
// control characters are dropped, Chinese characters stand alone, accents and case go, punctuation stands alone, and
// each word is covered from its start by the longest pieces of the vocabulary. A word that cannot be covered, or of more
// than 100 characters, is one [UNK]. The literal special tokens of the vocabulary, "[CLS]" and the like, are tokens
// where they stand in the text, as in the reference. Cased vocabularies are not supported: their text would be lower
// cased and counted wrongly, and nothing in the file tells them apart.
type WordPiece struct {
	name     string
	hash     string
	heads    map[string]int // pieces that start a word
	tails    map[string]int // pieces that go on with one, without their ##
	special  []special
	unknown  int
	cls, sep int
	longest  int // bytes of the longest piece, without ##
}

type special struct {
	text []byte
	id   int
}

// specialTokens are the literals BERT's tokenizers look for in the text before anything else.
var specialTokens = [...]string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}

// ParseWordPiece reads a vocabulary: one piece on each line, numbered from 0, pieces inside a word with ## in front.
// Name is what the tokenizer is called and what errors begin with.
func ParseWordPiece(name string, vocab []byte) (Tokenizer, error) {
	sum := sha256.Sum256(vocab)
	w := &WordPiece{name: name, hash: hex.EncodeToString(sum[:]), heads: map[string]int{}, tails: map[string]int{}}
	id := 0
	for line := range bytes.Lines(vocab) {
		if err := w.add(bytes.TrimRight(line, "\r\n"), id); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, id+1, err)
		}
		id++
	}
	for _, p := range []struct {
		text string
		id   *int
	}{{"[UNK]", &w.unknown}, {"[CLS]", &w.cls}, {"[SEP]", &w.sep}} {
		n, ok := w.heads[p.text]
		if !ok {
			return nil, fmt.Errorf("%s: not a BERT vocabulary: it has no line %s", name, p.text)
		}
		*p.id = n
	}
	for _, s := range specialTokens {
		if n, ok := w.heads[s]; ok {
			w.special = append(w.special, special{[]byte(s), n})
		}
	}
	return w, nil
}

func (w *WordPiece) add(piece []byte, id int) error {
	if !utf8.Valid(piece) {
		return fmt.Errorf("not UTF-8")
	}
	pieces := w.heads
	if rest, ok := bytes.CutPrefix(piece, []byte("##")); ok && len(rest) > 0 {
		pieces, piece = w.tails, rest
	}
	if len(piece) == 0 {
		return fmt.Errorf("empty")
	}
	if first, ok := pieces[string(piece)]; ok {
		return fmt.Errorf("%q stands on line %d already", piece, first+1)
	}
	pieces[string(piece)] = id
	w.longest = max(w.longest, len(piece))
	return nil
}

func (w *WordPiece) Name() string { return w.name }
func (w *WordPiece) Hash() string { return w.hash }

// Special is 2: [CLS] before and [SEP] after the input.
func (w *WordPiece) Special() int { return 2 }

func (w *WordPiece) Count(text []byte) int { return count(w, text) }

func (w *WordPiece) Offsets(dst []int, text []byte) []int {
	first := len(dst)
	w.each(text, func(_, _, end int) { dst = append(dst, end) })
	if len(dst) > first {
		dst[len(dst)-1] = len(text)
	}
	return dst
}

// Encode appends the numbers of text's tokens, without [CLS] and [SEP] around them.
func (w *WordPiece) Encode(dst []int, text []byte) []int {
	w.each(text, func(id, _, _ int) { dst = append(dst, id) })
	return dst
}

// each calls token with each token of text and the bytes it was made from.
func (w *WordPiece) each(text []byte, token func(id, start, end int)) {
	var word word
	for i := 0; i < len(text); {
		end, _ := w.next(text, i)
		if s, ok := w.specialAt(text[i:end]); ok {
			token(s.id, i, end)
		} else {
			word.read(text[i:end])
			w.cover(word.text, func(id, from, to int) {
				token(id, i+int(word.start[from]), i+int(word.end[to-1]))
			})
		}
		i = end
	}
}

// weigh is safe to be called from several goroutines: all it changes is on its stack.
func (w *WordPiece) weigh(piece []byte) int {
	if _, ok := w.specialAt(piece); ok {
		return 1
	}
	var space [64]byte
	return w.cover(appendNormal(space[:0], piece), nil)
}

// longestWord is how many characters a word may have before it is [UNK], as in BERT (max_input_chars_per_word).
const longestWord = 100

// cover covers a normalized word by pieces, each the longest that fits. It calls piece, unless nil, with each one's
// number and range in word, and returns how many there are.
func (w *WordPiece) cover(word []byte, piece func(id, from, to int)) int {
	if len(word) == 0 {
		return 0
	}
	n, ok := 0, len(word) <= longestWord || utf8.RuneCount(word) <= longestWord
	var ids, ends [4 * longestWord]int // a character has at most four bytes
	for from := 0; ok && from < len(word); n++ {
		id, to := w.longestPiece(word, from)
		if ok = to > from; ok {
			ids[n], ends[n] = id, to
			from = to
		}
	}
	if !ok {
		n, ids[0], ends[0] = 1, w.unknown, len(word)
	}
	for i, from := 0, 0; piece != nil && i < n; i++ {
		piece(ids[i], from, ends[i])
		from = ends[i]
	}
	return n
}

// longestPiece is the number and end of the longest piece at word[from]; the end is from where there is none.
func (w *WordPiece) longestPiece(word []byte, from int) (id, to int) {
	pieces := w.tails
	if from == 0 {
		pieces = w.heads
	}
	for to = min(len(word), from+w.longest); to > from; to-- {
		if to < len(word) && !utf8.RuneStart(word[to]) {
			continue
		}
		if id, ok := pieces[string(word[from:to])]; ok {
			return id, to
		}
	}
	return 0, from
}

func (w *WordPiece) specialAt(text []byte) (special, bool) {
	if len(text) == 0 || text[0] != '[' {
		return special{}, false
	}
	for _, s := range w.special {
		if bytes.HasPrefix(text, s.text) {
			return s, true
		}
	}
	return special{}, false
}

// next takes a special token, a run of white space, a character that stands alone, or a word: a run of all others,
// those that are dropped included.
func (w *WordPiece) next(text []byte, i int) (int, bool) {
	if s, ok := w.specialAt(text[i:]); ok {
		return i + len(s.text), false
	}
	k, width := roleAt(text, i)
	end := i + width
	if k == alone {
		return end, text[i] == '[' && len(text)-i < len("[MASK]")
	}
	for end < len(text) {
		x, width := roleAt(text, end)
		if x == alone || (x == blank) != (k == blank) {
			return end, false
		}
		end += width
	}
	return end, true
}

// tail is the end: where the end of the text decides a pre-token, that pre-token reaches behind it.
func (w *WordPiece) tail(text []byte) int { return len(text) }
