package token_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/cleave-project/cleave/core/token"
)

// The goldens are numbers of tokens by the reference implementations: npm tiktoken 1.0.22 for the byte pair encodings,
// npm tokenizers 0.23.2 for bert-base-uncased, with its character offsets.

func readJSON(t testing.TB, name string, v any) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := json.NewDecoder(r).Decode(v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

type golden struct {
	texts  []string
	cl100k [][]int
	o200k  [][]int
	bert   [][]int
	ranges [][][2]int
}

func goldens(t testing.TB) map[string]golden {
	t.Helper()
	var corpus struct {
		CL100K [][]int    `json:"tiktoken_cl100k_base"`
		O200K  [][]int    `json:"tiktoken_o200k_base"`
		Bert   [][]int    `json:"bert"`
		Off    [][][2]int `json:"bert_off"`
	}
	var fuzz struct {
		S      []string
		CL100K [][]int    `json:"cl100k_base"`
		O200K  [][]int    `json:"o200k_base"`
		Bert   [][]int    `json:"bert"`
		Off    [][][2]int `json:"bert_off"`
	}
	var texts, blanks []string
	var blankIDs [][]int
	readJSON(t, "corpus.json", &texts)
	readJSON(t, "ref.json", &corpus)
	readJSON(t, "fuzz.json.gz", &fuzz)
	readJSON(t, "ws.json", &blanks)
	readJSON(t, "ws_ref.json", &blankIDs)
	return map[string]golden{
		"corpus": {texts, corpus.CL100K, corpus.O200K, corpus.Bert, corpus.Off},
		"fuzz":   {fuzz.S, fuzz.CL100K, fuzz.O200K, fuzz.Bert, fuzz.Off},
		"blanks": {texts: blanks, cl100k: blankIDs},
	}
}

func open(t testing.TB, name string) token.Tokenizer {
	t.Helper()
	tok, err := token.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

const bertName = "wordpiece:testdata/bert-base-uncased-vocab.txt"

func TestBPEGoldens(t *testing.T) {
	sets := goldens(t)
	for set, g := range sets {
		for name, want := range map[string][][]int{"cl100k_base": g.cl100k, "o200k_base": g.o200k} {
			t.Run(set+"/"+name, func(t *testing.T) {
				tok := open(t, name).(*token.BPE)
				for i := range want {
					got := tok.Encode([]int{}, []byte(g.texts[i]))
					if d := cmp.Diff(want[i], got); d != "" {
						t.Errorf("%d %q: (-want +got)\n%s", i, clip(g.texts[i]), d)
					}
					if n := tok.Count([]byte(g.texts[i])); n != len(want[i]) {
						t.Errorf("%d %q: Count %d, want %d", i, clip(g.texts[i]), n, len(want[i]))
					}
				}
			})
		}
	}
}

func TestWordPieceGoldens(t *testing.T) {
	tok := open(t, bertName).(*token.WordPiece)
	for set, g := range goldens(t) {
		t.Run(set, func(t *testing.T) {
			for i, want := range g.bert {
				text := []byte(g.texts[i])
				want = want[1 : len(want)-1] // without [CLS] and [SEP]
				ids, ranges := tok.EncodeRanges(text)
				if d := cmp.Diff(want, ids); d != "" {
					t.Errorf("%d %q: ids (-want +got)\n%s", i, clip(g.texts[i]), d)
				}
				if n := tok.Count(text) + tok.Special(); n != len(g.bert[i]) {
					t.Errorf("%d %q: Count and Special %d, want %d", i, clip(g.texts[i]), n, len(g.bert[i]))
				}
				for j, r := range ranges {
					ranges[j] = [2]int{utf8.RuneCount(text[:r[0]]), utf8.RuneCount(text[:r[1]])}
				}
				off := g.ranges[i]
				if d := cmp.Diff(off[1:len(off)-1], ranges); d != "" {
					t.Errorf("%d %q: offsets (-want +got)\n%s", i, clip(g.texts[i]), d)
				}
			}
		})
	}
}

func clip(s string) string {
	if len(s) > 80 {
		return s[:80] + "..."
	}
	return s
}
