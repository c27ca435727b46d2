package daemon

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/token"
)

const (
	special = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n"
	whole   = special + "apple\n"          // "apple" is one token
	pieces  = special + "a\n##p\n##l\n##e" // and here five
)

// vocabulary writes a vocabulary under the same name, whatever it holds, and returns how it is configured.
func vocabulary(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "vocab.txt")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return wordPiece + file
}

// configured loads tokenizers as a daemon does at its start; the first is the default.
func (l *lab) configured(names ...string) {
	l.t.Helper()
	for _, name := range names {
		if err := l.toks.load(name); err != nil {
			l.t.Fatal(err)
		}
	}
}

// counts asks for apples and checks how many tokens they have.
func (l *lab) counts(number uint64, want int) (degraded []string) {
	l.t.Helper()
	a, err := l.query("apple", number)
	if err != nil {
		l.t.Fatalf("generation %d: %v", number, err)
	}
	if a.Tokens != want {
		l.t.Errorf("generation %d: %d tokens, want %d", number, a.Tokens, want)
	}
	return a.Degraded
}

// C6: what was cut with a vocabulary is counted with it, after its file got other bytes and after the configuration gave
// it up. Where the kept copy is gone or damaged too, queries answer all the same, and say what they lack.
func TestOlderVocabularies(t *testing.T) {
	dir := t.TempDir()
	l := newLab(t, dir)
	for _, text := range []string{whole, pieces} {
		l.toks = newTokenizers(l.toks.kept)
		l.configured(vocabulary(t, text))
		tok, err := l.toks.open("wordpiece:vocab.txt")
		if err != nil {
			t.Fatal(err)
		}
		l.cut.Policy.Tokenizer, l.cut.TokenizerHash = "wordpiece:vocab.txt", tok.Hash()
		l.publish("docs", map[object.Path]string{"a.md": "apple"})
	}
	l.cut.Policy.Tokenizer, l.cut.TokenizerHash = "words", token.Words{}.Hash()
	l.publish("docs", map[object.Path]string{"a.md": "apple"})
	l.stop()

	for name, vocabularies := range map[string][]string{
		"the other bytes": {vocabulary(t, pieces)}, "the older bytes": {vocabulary(t, whole)}, "none": {"words"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, dir)
			defer l.stop()
			l.configured(vocabularies...)
			l.start("docs")
			for generation, tokens := range map[uint64]int{1: 1, 2: 5, 3: 1} {
				if degraded := l.counts(generation, tokens); len(degraded) > 0 {
					t.Errorf("generation %d: degraded %v", generation, degraded)
				}
			}
		})
	}

	damage(t, filepath.Join(dir, "vocabularies", hashOf([]byte(pieces))))
	l = newLab(t, dir)
	l.configured("words")
	l.start("docs")
	if degraded := l.counts(2, 1); len(degraded) != 1 || !strings.Contains(degraded[0], "counted with words") {
		t.Errorf("degraded %v", degraded)
	}
	l.configured(vocabulary(t, pieces)) // it is kept again
	l.toks = newTokenizers(l.toks.kept)
	if degraded := l.counts(2, 5); len(degraded) > 0 {
		t.Errorf("degraded %v", degraded)
	}
}

func damage(t *testing.T, file string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(whole), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A look at a configuration keeps nothing.
func TestCheckKeepsNoVocabulary(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := newTokenizers(vocabularies{}).load(vocabulary(t, whole)); err != nil {
		t.Fatal(err)
	}
	if names, err := os.ReadDir("."); err != nil || len(names) > 0 {
		t.Errorf("made %v, %v", names, err)
	}
}
