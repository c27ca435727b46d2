package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

const docs object.Source = "docs"

func open(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), dir, store.Options{})
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func reopen(t testing.TB, s *store.Store, dir string) *store.Store {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatalf("close: %v", err)
	}
	return open(t, dir)
}

func check(t testing.TB, s *store.Store) {
	t.Helper()
	err := s.Check(context.Background(), func(p store.Problem) { t.Errorf("check: %v", p) })
	if err != nil {
		t.Errorf("check: %v", err)
	}
}

// document makes a record and chunks of about 1000 bytes for a text.
func document(text []byte) (object.Document, []object.Chunk) {
	doc := object.Document{
		Revision: object.Sum(text), Bytes: int64(len(text)), MediaType: "text/markdown", Lang: "en", Title: "A title",
		Encoding: "utf-8", Coords: object.CoordsSource, Plugin: object.PluginRef{Name: "markdown", Version: "1.0.0"},
		Contract: object.Sum([]byte("contract")),
		Policy:   object.Policy{Strategy: "structural", MaxTokens: 400, Tokenizer: "cl100k_base", Oversize: "split"},
	}
	var chunks []object.Chunk
	for at := 0; at < len(text); at += 1000 {
		span := object.Span{Start: int64(at), End: int64(min(at+1000, len(text)))}
		body := text[span.Start:span.End]
		chunks = append(chunks, object.Chunk{
			Span: span, StartLine: at/50 + 1, EndLine: at/50 + 20, Section: object.Span{End: int64(len(text))},
			Kind: "section", Lang: "en", Breadcrumb: []string{"Guide", "How to write a page", fmt.Sprintf("Part %d", at)},
			Tokens: len(body) / 4, EmbedHash: object.Sum(body), Words: object.Sum(append(body[:len(body):len(body)], 'w')),
		})
	}
	return doc, chunks
}

// prose is n bytes of text that differs by seed and does not repeat.
func prose(seed, n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "Sentence %d of text %d says %.12s. ", i, seed, object.Sum(fmt.Append(nil, seed, i)))
	}
	return b.Bytes()[:n]
}

// put stages one document and returns the edit that publishes it.
func put(t testing.TB, st *store.Stage, path object.Path, text []byte) store.Edit {
	t.Helper()
	doc, chunks := document(text)
	id, err := st.PutDocument(context.Background(), doc, text, chunks, nil)
	if err != nil {
		t.Fatalf("put %s: %v", path, err)
	}
	return store.Edit{Path: path, Entry: &object.Entry{Doc: id, Bytes: doc.Bytes, Chunks: len(chunks), Modified: 1,
		Access: object.Access{Mode: 0o644}}}
}

// publish publishes texts by path in one generation; a nil text removes.
func publish(t testing.TB, s *store.Store, source object.Source, texts map[object.Path][]byte) (g object.Generation, published bool) {
	t.Helper()
	err := s.Stage(context.Background(), source, func(st *store.Stage) error {
		var edits []store.Edit
		for p, text := range texts {
			if text == nil {
				edits = append(edits, store.Edit{Path: p})
				continue
			}
			edits = append(edits, put(t, st, p, text))
		}
		var err error
		g, published, err = st.Publish(context.Background(), store.Update{Edits: edits, Reason: "test", Complete: true, Time: 1})
		return err
	})
	if err != nil {
		t.Fatalf("publish: %v", err)
	}
	return g, published
}

func pin(t testing.TB, s *store.Store, source object.Source, number uint64) *store.Pin {
	t.Helper()
	p, err := s.Pin(context.Background(), source, number)
	if err != nil {
		t.Fatalf("pin: %v", err)
	}
	t.Cleanup(p.Release)
	return p
}

// texts reads all documents of a pinned generation through their chunks' blocks.
func texts(t testing.TB, p *store.Pin) map[object.Path][]byte {
	t.Helper()
	ctx, out := context.Background(), map[object.Path][]byte{}
	for it, err := range p.All(ctx) {
		if err != nil {
			t.Fatalf("all: %v", err)
		}
		doc, err := p.Document(ctx, it.Entry.Doc)
		if err != nil {
			t.Fatalf("document of %s: %v", it.Path, err)
		}
		text, err := p.Text(ctx, doc, 0, doc.TextLen)
		if err != nil {
			t.Fatalf("text of %s: %v", it.Path, err)
		}
		out[it.Path] = text
	}
	return out
}

func TestPublishAndRead(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	s := open(t, dir)
	if _, err := s.Head(ctx, docs); !errors.Is(err, store.ErrNoGeneration) {
		t.Fatalf("head of a new store: %v", err)
	}
	long := prose(1, 200_000) // several blocks and chunk pages
	want := map[object.Path][]byte{"a.md": prose(2, 3000), "long.md": long, "n\xff.md": prose(3, 10), "empty.md": {}}
	g1, published := publish(t, s, docs, want)
	if !published || g1.Number != 1 || g1.Counts.Documents != 4 || !g1.Parent.IsZero() {
		t.Fatalf("first generation: %+v %v", g1, published)
	}
	again, published := publish(t, s, docs, want)
	if published || again != g1 {
		t.Fatalf("publishing the same: %+v %v", again, published)
	}
	g2, _ := publish(t, s, docs, map[object.Path][]byte{"a.md": nil, "b.md": prose(4, 500)})
	if g2.Number != 2 || g2.Counts.Documents != 4 {
		t.Fatalf("second generation: %+v", g2)
	}

	s = reopen(t, s, dir)
	check(t, s)
	if got := texts(t, pin(t, s, docs, 1)); !cmp.Equal(want, got) {
		t.Errorf("generation 1 reads otherwise")
	}
	gens, err := s.Generations(ctx, docs)
	if err != nil || !cmp.Equal([]object.Generation{g2, g1}, gens) {
		t.Errorf("generations: %v %v", gens, err)
	}
	p := pin(t, s, docs, 0)
	var changed []object.Path
	for c, err := range p.Diff(ctx, g1.Root) {
		if err != nil {
			t.Fatal(err)
		}
		changed = append(changed, c.Path)
	}
	if want := []object.Path{"a.md", "b.md"}; !cmp.Equal(want, changed) {
		t.Errorf("diff: %v", changed)
	}
	readLong(t, p, long)
	if _, err := s.Pin(ctx, docs, 3); !errors.Is(err, store.ErrNoGeneration) {
		t.Errorf("pin of a generation to come: %v", err)
	}
	if s.Size() == 0 {
		t.Error("size 0")
	}
}

func readLong(t *testing.T, p *store.Pin, long []byte) {
	ctx := context.Background()
	e, ok, err := p.Lookup(ctx, "long.md")
	if err != nil || !ok {
		t.Fatalf("lookup: %v %v", ok, err)
	}
	doc, err := p.Document(ctx, e.Doc)
	if err != nil {
		t.Fatal(err)
	}
	_, want := document(long)
	all, err := p.Chunks(ctx, doc)
	if err != nil || !cmp.Equal(want, all) {
		t.Fatalf("chunks: %v %s", err, cmp.Diff(want, all))
	}
	for _, i := range []int{0, 63, 64, 199} {
		c, err := p.Chunk(ctx, doc, i)
		if err != nil || !cmp.Equal(want[i], c) {
			t.Errorf("chunk %d: %v %v", i, c, err)
		}
		text, err := p.Text(ctx, doc, c.Span.Start, c.Span.End)
		if err != nil || !bytes.Equal(text, long[c.Span.Start:c.Span.End]) { // I4
			t.Errorf("text of chunk %d: %q %v", i, text, err)
		}
	}
	if _, err := p.Chunk(ctx, doc, 200); err == nil {
		t.Error("chunk beyond the last: no error")
	}
	if _, err := p.Text(ctx, doc, 5, doc.TextLen+1); err == nil {
		t.Error("text beyond the end: no error")
	}
}
