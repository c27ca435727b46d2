package token_test

import (
	"os"
	"strings"
	"testing"

	"github.com/cleave-project/cleave/core/token"
)

func TestOpen(t *testing.T) {
	for name, special := range map[string]int{"o200k_base": 0, "cl100k_base": 0, "words": 0, bertName: 2} {
		tok := open(t, name)
		if tok.Name() != name || tok.Special() != special || len(tok.Hash()) != 64 {
			t.Errorf("%s: name %q, special %d, hash %q", name, tok.Name(), tok.Special(), tok.Hash())
		}
	}
	// The vocabulary's SHA-256 as the goldens' notes give it.
	if h := open(t, bertName).Hash(); !strings.HasPrefix(h, "07eced37") {
		t.Errorf("hash of the BERT vocabulary: %s", h)
	}
	for name, says := range map[string]string{
		"":                   "allowed: o200k_base, cl100k_base, wordpiece:FILE, words",
		"p50k_base":          `"p50k_base"`,
		"wordpiece:":         "allowed:",
		"words:x":            "allowed:",
		"wordpiece:/no/file": "/no/file",
	} {
		if tok, err := token.Open(name); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %v, %v; want an error with %s", name, tok, err, says)
		}
	}
}

func TestParseWordPieceErrors(t *testing.T) {
	for vocab, says := range map[string]string{
		"":                               "no line [UNK]",
		"[UNK]\n[CLS]\n":                 "no line [SEP]",
		"[UNK]\n[CLS]\n[SEP]\n\nthe\n":   "v: line 4: empty",
		"[UNK]\n[CLS]\n[SEP]\na\nb\na":   `v: line 6: "a" stands on line 4 already`,
		"[UNK]\n[CLS]\n[SEP]\n\xff\nb\n": "v: line 4: not UTF-8",
	} {
		if _, err := token.ParseWordPiece("v", []byte(vocab)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %v; want %s", vocab, err, says)
		}
	}
}

// TestWordPieceLineEndings: a vocabulary saved with CR LF is the same vocabulary with another hash.
func TestWordPieceLineEndings(t *testing.T) {
	raw, err := os.ReadFile("testdata/bert-base-uncased-vocab.txt")
	if err != nil {
		t.Fatal(err)
	}
	tok, err := token.ParseWordPiece("crlf", []byte(strings.ReplaceAll(string(raw), "\n", "\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	text := []byte("Unbelievable tokenization, naïve café!")
	if got, want := tok.Count(text), open(t, bertName).Count(text); got != want || tok.Hash() == open(t, bertName).Hash() {
		t.Errorf("got %d tokens, want %d", got, want)
	}
}

func TestWords(t *testing.T) {
	tok := open(t, "words")
	text := []byte("  one two\u00a0three\n\tfour  ")
	if n := tok.Count(text); n != 4 {
		t.Errorf("got %d words, want 4", n)
	}
}
