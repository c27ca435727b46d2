package query_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cleave-project/cleave/core/index"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/query"
	"github.com/cleave-project/cleave/core/store"
	"github.com/cleave-project/cleave/core/token"
)

var (
	_ index.Tree = (*store.Pin)(nil)
	_ query.Pin  = (*store.Pin)(nil)
)

// file is a document of a fixture.
type file struct {
	text   string
	meta   map[string]string
	lang   string
	entry  object.Entry // modified, access and effective dates
	policy object.Policy
}

// source publishes files into a store and an index of their own, and opens both for queries. Documents are cut at blank
// lines; a paragraph that begins with "# " opens a section, and one that begins with "|" repeats the last one that began
// with "|head".
func source(t *testing.T, name object.Source, files map[object.Path]file) query.Source {
	t.Helper()
	s, err := store.Open(t.Context(), t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	err = s.Stage(t.Context(), name, func(st *store.Stage) error {
		var edits []store.Edit
		for _, path := range slices.Sorted(maps.Keys(files)) {
			f := files[path]
			doc, chunks := cut(f)
			id, err := st.PutDocument(t.Context(), doc, []byte(f.text), chunks, nil)
			if err != nil {
				return err
			}
			e := f.entry
			e.Doc, e.Bytes, e.Chunks = id, int64(len(f.text)), len(chunks)
			edits = append(edits, store.Edit{Path: path, Entry: &e})
		}
		_, _, err := st.Publish(t.Context(), store.Update{Edits: edits, Complete: true})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	pin, err := s.Pin(t.Context(), name, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pin.Release)
	return query.Source{
		Name: name, Pin: pin, Index: hold(t, pin), Tokenizer: opened,
		Admit: func(object.Path, object.Entry) bool { return true },
	}
}

// opened opens what comes with the program.
func opened(name, _ string) (token.Tokenizer, string) {
	tok, err := token.Open(name)
	if err != nil {
		panic(err) // the test names one that there is not
	}
	return tok, ""
}

func hold(t *testing.T, pin *store.Pin) *index.Hold {
	t.Helper()
	x, err := index.Open(t.TempDir(), index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	if err := x.Follow(t.Context(), nil, pin); err != nil {
		t.Fatal(err)
	}
	v, err := index.BuildView(t.Context(), pin)
	if err != nil {
		t.Fatal(err)
	}
	h, err := x.Hold(v)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func cut(f file) (object.Document, []object.Chunk) {
	doc := object.Document{
		Revision: object.Sum([]byte(f.text)), Bytes: int64(len(f.text)), Coords: object.CoordsSource, Encoding: "utf-8",
		Meta: f.meta, Lang: f.lang, Policy: f.policy,
	}
	if doc.Policy.Tokenizer == "" {
		doc.Policy.Tokenizer = "words"
	}
	var chunks []object.Chunk
	section, start, line := 0, 0, 1
	var header []object.Context
	for _, paragraph := range strings.SplitAfter(f.text, "\n\n") {
		if paragraph == "" {
			continue
		}
		end := start + len(paragraph)
		if strings.HasPrefix(paragraph, "# ") {
			section = len(chunks)
		}
		kind := "paragraph"
		if strings.HasPrefix(paragraph, "    ") {
			kind = "code"
		}
		chunks = append(chunks, object.Chunk{
			Span: object.Span{Start: int64(start), End: int64(end)}, Kind: kind,
			StartLine: line, EndLine: line + strings.Count(strings.TrimRight(paragraph, "\n"), "\n"),
			Words: object.Sum([]byte(kind + paragraph)),
		})
		if strings.HasPrefix(paragraph, "|head") {
			header = []object.Context{{Span: object.Span{Start: int64(start), End: int64(start + strings.Index(paragraph, "\n"))}, Role: "header"}}
		} else if strings.HasPrefix(paragraph, "|") {
			chunks[len(chunks)-1].Context = header
		}
		for i := section; i < len(chunks); i++ {
			chunks[i].Section = object.Span{Start: chunks[section].Span.Start, End: int64(end)}
		}
		line += strings.Count(paragraph, "\n")
		start = end
	}
	return doc, chunks
}

// whole sets what a test leaves open.
func whole(r query.Request) query.Request {
	r.K, r.Budget, r.Window = cmp.Or(r.K, 10), cmp.Or(r.Budget, 2000), cmp.Or(r.Window, 1)
	r.Expand = cmp.Or(r.Expand, query.ExpandSection)
	return r
}

// ask runs a query and checks what holds for every answer.
func ask(t *testing.T, r query.Request, sources ...query.Source) query.Answer {
	t.Helper()
	r = whole(r)
	a, err := query.Run(t.Context(), r, sources)
	if err != nil {
		t.Fatal(err)
	}
	checkAnswer(t, r, a, sources)
	return a
}

// checkAnswer: passages are slices of the pinned text at chunk borders, their tokens are exact and within the budget, and
// none of one document overlaps or touches another.
func checkAnswer(t interface{ Errorf(string, ...any) }, r query.Request, a query.Answer, sources []query.Source) {
	sum := 0
	for i, h := range a.Hits {
		p := h.Passage
		s := sources[slices.IndexFunc(sources, func(s query.Source) bool { return s.Name == h.Source })]
		text, err := s.Pin.Text(context.Background(), h.Document, p.Span.Start, p.Span.End)
		if err != nil || string(text) != string(p.Text) {
			t.Errorf("hit %d: the passage is not the text of %v: %v", i, p.Span, err)
		}
		tok, _ := s.Tokenizer(h.Document.Policy.Tokenizer, h.Document.TokenizerHash)
		var given []byte // what a model is given: context, then text
		for _, q := range p.Context {
			given = append(given, q.Text...)
			if p.Span.Start <= q.Span.Start && q.Span.End <= p.Span.End {
				t.Errorf("hit %d: the context %v is part of the passage", i, q.Span)
			}
		}
		given = append(given, p.Text...)
		if err != nil || tok.Count(given) != p.Tokens {
			t.Errorf("hit %d: %d tokens said, %d counted, %v", i, p.Tokens, tok.Count(given), err)
		}
		if h.Chunks[p.First].Span.Start != p.Span.Start || h.Chunks[p.Last].Span.End != p.Span.End {
			t.Errorf("hit %d: %v does not begin and end with chunks %d and %d", i, p.Span, p.First, p.Last)
		}
		if h.Chunk < p.First || h.Chunk > p.Last {
			t.Errorf("hit %d: chunk %d is not in its passage", i, h.Chunk)
		}
		for j, o := range a.Hits[:i] {
			if o.Source == h.Source && o.Path == h.Path && o.Passage.First <= p.Last+1 && p.First <= o.Passage.Last+1 {
				t.Errorf("hits %d and %d overlap or touch: %d-%d, %d-%d", j, i, o.Passage.First, o.Passage.Last, p.First, p.Last)
			}
		}
		sum += p.Tokens
	}
	if sum != a.Tokens || sum > r.Budget {
		t.Errorf("%d tokens said, %d counted, budget %d", a.Tokens, sum, r.Budget)
	}
}

// ranges writes the hits as "path first-last best+merged".
func ranges(a query.Answer) []string {
	var out []string
	for _, h := range a.Hits {
		line := fmt.Sprintf("%s %d-%d %d", h.Path, h.Passage.First, h.Passage.Last, h.Chunk)
		for _, m := range h.Passage.Merged {
			line += fmt.Sprintf("+%d", m)
		}
		out = append(out, line)
	}
	return out
}
