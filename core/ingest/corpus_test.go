package ingest_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
	"github.com/cleave-project/cleave/core/token"
	"github.com/cleave-project/cleave/sdk"
)

// vocabulary is BERT's, as it is published.
const vocabulary = "../token/testdata/bert-base-uncased-vocab.txt"

// TestCorpus cuts a whole tree and checks every chunk against the file it is from: within budget (I5), equal to its
// slice (I4), in order, and nothing lost (I6). Two stores over two copies of the tree give equal chunk IDs (I7, B3).
// The tree is the one of the examples, and beside it the folder that CORPUS names.
func TestCorpus(t *testing.T) {
	for _, c := range []struct{ name, dir string }{{"examples", "../../examples/corpus"}, {"CORPUS", os.Getenv("CORPUS")}} {
		for _, p := range []object.Policy{
			{Strategy: "structural", MaxTokens: 400, Tokenizer: "cl100k_base", Oversize: "split"},
			{Strategy: "structural", MaxTokens: 256, Tokenizer: "wordpiece:" + filepath.Base(vocabulary), Oversize: "split"},
		} {
			t.Run(fmt.Sprintf("%s/%s/%d", c.name, p.Tokenizer, p.MaxTokens), func(t *testing.T) {
				if c.dir == "" {
					t.Skip("CORPUS names no folder of real documents")
				}
				proveCorpus(t, c.dir, p)
			})
		}
	}
}

func proveCorpus(t *testing.T, dir string, p object.Policy) {
	plugins := openPlugins(t, "markdown", "text")
	var ids [2]map[object.ID]bool
	for i := range ids {
		tree := t.TempDir()
		must(t, os.CopyFS(tree, os.DirFS(dir)))
		l := newLab(t, tree, plugins)
		l.policy, l.deps.Tokenizers, l.src.MaxSize = p, openTokenizer, 64<<20
		r := l.scan()
		if !r.Complete || r.Failed > 0 || r.Generation.Counts.Documents == 0 {
			t.Fatalf("%+v\n%v", r, l.failures())
		}
		ids[i] = (&auditor{lab: l}).audit()
	}
	if len(ids[0]) != len(ids[1]) {
		t.Fatalf("%d chunk IDs over one copy, %d over the other", len(ids[0]), len(ids[1]))
	}
	for id := range ids[0] {
		if !ids[1][id] {
			t.Fatalf("chunk %s is of one copy only", id)
		}
	}
}

// openTokenizer opens a tokenizer by the name that records carry, which has no folder.
func openTokenizer(name string) (token.Tokenizer, error) {
	if strings.HasPrefix(name, "wordpiece:") {
		name = "wordpiece:" + vocabulary
	}
	return token.Open(name)
}

// auditor checks what a store holds against the files, and counts what it looked at.
type auditor struct {
	*lab
	ids                map[object.ID]bool
	bytes, inSkips     int64
	overBudget, tokens int
}

func (a *auditor) audit() map[object.ID]bool {
	a.t.Helper()
	ctx := context.Background()
	a.ids = map[object.ID]bool{}
	pin, err := a.store.Pin(ctx, docs, 0)
	must(a.t, err)
	defer pin.Release()
	tok, err := openTokenizer(a.policy.Tokenizer)
	must(a.t, err)
	for item, err := range pin.All(ctx) {
		must(a.t, err)
		a.document(ctx, pin, item, tok)
	}
	a.t.Logf("%d documents, %d bytes, %d chunks, %d over budget, %d tokens; %d bytes in skips",
		pin.Generation().Counts.Documents, a.bytes, len(a.ids), a.overBudget, a.tokens, a.inSkips)
	return a.ids
}

func (a *auditor) document(ctx context.Context, pin *store.Pin, item object.Item, tok token.Tokenizer) {
	a.t.Helper()
	raw, err := os.ReadFile(a.at(string(item.Path)))
	must(a.t, err)
	doc, err := pin.Document(ctx, item.Entry.Doc)
	must(a.t, err)
	chunks, err := pin.Chunks(ctx, doc)
	must(a.t, err)
	if doc.Coords != object.CoordsSource || doc.TextLen != int64(len(raw)) || len(chunks) != item.Entry.Chunks {
		a.t.Errorf("%s: coordinates %v, %d of %d bytes, %d chunks in the record, %d in the entry",
			item.Path, doc.Coords, doc.TextLen, len(raw), len(chunks), item.Entry.Chunks)
		return
	}
	covered := make([]bool, len(raw))
	last := object.Span{Start: -1}
	for i, c := range chunks {
		s := c.Span
		if s.Start <= last.Start || s.Start < last.End || s.End <= s.Start || s.End > doc.TextLen {
			a.t.Errorf("%s: chunk %d is [%d, %d) after [%d, %d) of %d bytes", item.Path, i, s.Start, s.End, last.Start, last.End, doc.TextLen)
			return
		}
		text, err := pin.Text(ctx, doc, s.Start, s.End)
		must(a.t, err)
		if !bytes.Equal(text, raw[s.Start:s.End]) {
			a.t.Errorf("%s: chunk %d at [%d, %d) is not its slice of the file", item.Path, i, s.Start, s.End)
		}
		a.budget(item.Path, doc, i, c, raw, tok)
		mark(covered, s)
		last = s
		a.ids[object.ChunkID("default", docs, item.Path, item.Entry.Doc, s.Start, s.End)] = true
	}
	for _, s := range doc.Skips {
		mark(covered, s.Span)
		a.inSkips += s.Span.End - s.Span.Start
	}
	a.bytes += int64(len(raw))
	if at := lost(covered, raw); at >= 0 {
		a.t.Errorf("%s: %q at byte %d is in no chunk and no skip", item.Path, raw[at:min(len(raw), at+20)], at)
	}
}

// budget counts the embedding text directly, without the packer's own counting.
func (a *auditor) budget(path object.Path, doc object.Document, i int, c object.Chunk, raw []byte, tok token.Tokenizer) {
	embed := chunk.EmbedText(doc.Title, doc.Titled, c, raw)
	n := tok.Count(embed) + tok.Special()
	a.tokens += n
	if n > a.policy.MaxTokens {
		a.overBudget++
		a.t.Errorf("%s: chunk %d at [%d, %d) has %d tokens, budget %d", path, i, c.Span.Start, c.Span.End, n, a.policy.MaxTokens)
	}
	if n != c.Tokens || object.Sum(embed) != c.EmbedHash {
		a.t.Errorf("%s: chunk %d has %d tokens and says %d; embedding texts equal: %v", path, i, n, c.Tokens, object.Sum(embed) == c.EmbedHash)
	}
}

func mark(covered []bool, s object.Span) {
	for i := s.Start; i < s.End; i++ {
		covered[i] = true
	}
}

// lost is the first byte of a character other than space that is not covered, or -1.
func lost(covered []bool, raw []byte) int {
	for at := 0; at < len(raw); {
		r, n := utf8.DecodeRune(raw[at:])
		for i := at; i < at+n; i++ {
			if !covered[i] && !sdk.IsSpace(r) {
				return at
			}
		}
		at += n
	}
	return -1
}
