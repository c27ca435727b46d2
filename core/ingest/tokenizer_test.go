package ingest_test

import (
	"testing"

	"github.com/cleave-project/cleave/core/token"
)

// A record says which tokenizer counted it, by its hash: what is done with it later must count the same (C6).
func TestRecordNamesItsTokenizer(t *testing.T) {
	l := newLab(t, t.TempDir(), openPlugins(t, "markdown", "text"))
	l.write("a.md", paragraphs("valve", 4))
	l.scan()
	tok, err := token.Open(l.policy.Tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	pin, err := l.store.Pin(t.Context(), docs, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pin.Release()
	doc, err := pin.Document(t.Context(), l.entries()["a.md"].Doc)
	if err != nil || doc.TokenizerHash != tok.Hash() {
		t.Errorf("hash %q, %v; want %q", doc.TokenizerHash, err, tok.Hash())
	}
}
