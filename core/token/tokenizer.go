package token

import (
	"fmt"
	"os"
	"strings"
	"sync"
)

// Tokenizer counts the tokens of one model family. The set of implementations is closed: Measure needs to see
// pre-tokens.
type Tokenizer interface {
	// Name is the name Open knows the tokenizer by; for a WordPiece vocabulary, the name given to ParseWordPiece.
	Name() string
	// Hash identifies what the counts depend on, in hexadecimal: the SHA-256 of the vocabulary file. It is part of
	// the splitting contract (I7).
	Hash() string
	// Count is the number of tokens of text, special tokens not included.
	Count(text []byte) int
	// Offsets appends the offset in text where each token ends: Count(text) offsets that never fall, the last of
	// them len(text). The space before a token is part of it, and the last token takes what follows it. A token may
	// end inside a UTF-8 character, and tokens made of one character (WordPiece takes Hangul apart) end at the same
	// offset.
	Offsets(dst []int, text []byte) []int
	// Special is the number of tokens the model puts around one input: 0 for the byte pair encodings and words, 2
	// for WordPiece ([CLS] and [SEP]).
	Special() int

	segmenter
}

// segmenter is what exact counting of slices needs to see of a tokenizer.
type segmenter interface {
	// next is the end of the pre-token that starts at text[i], i < len(text). It depends on text[i:] only. Open
	// tells whether it might be another if more text followed.
	next(text []byte, i int) (end int, open bool)
	// weigh is the number of tokens of one pre-token, at most its length in bytes.
	weigh(piece []byte) int
	// tail is a position from which on text's end matters: pre-tokens that begin before it and end within text are
	// the same whatever follows text.
	tail(text []byte) int
}

// Open gives the tokenizer of that name: o200k_base, cl100k_base, wordpiece:FILE or words. The published encodings are
// read once in a process, at first use.
func Open(name string) (Tokenizer, error) {
	switch kind, file, _ := strings.Cut(name, ":"); {
	case name == "words":
		return Words{}, nil
	case name == "o200k_base":
		return o200k()
	case name == "cl100k_base":
		return cl100k()
	case kind == "wordpiece" && file != "":
		return openWordPiece(name, file)
	}
	return nil, fmt.Errorf("unknown tokenizer %q (allowed: o200k_base, cl100k_base, wordpiece:FILE, words)", name)
}

func openWordPiece(name, file string) (Tokenizer, error) {
	vocab, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read vocabulary: %w", err)
	}
	return ParseWordPiece(name, vocab)
}

// The two encodings are constants of the program: they come from embedded files and never change. They are kept
// because reading one takes tens of milliseconds and megabytes.
var (
	o200k  = sync.OnceValues(func() (Tokenizer, error) { return loadEncoding("o200k_base", nextO200K) })
	cl100k = sync.OnceValues(func() (Tokenizer, error) { return loadEncoding("cl100k_base", nextCL100K) })
	shared = sync.OnceValue(newClasses)
)
