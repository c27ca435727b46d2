package answer_test

import (
	"errors"
	"testing"

	"github.com/cleave-project/cleave/core/answer"
	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/object"
	"github.com/google/go-cmp/cmp"
)

const text = "# Dome\n\n| wind | do |\n|---|---|\n| 12 | watch |\n| 15 | close |\n"

func span(start, end int64) object.Span { return object.Span{Start: start, End: end} }

func document() *answer.Document {
	return &answer.Document{
		Tenant: "default", Source: "handbook", Path: "ops/\xffdome.md", Generation: 7, ID: object.Sum([]byte("record")), PluginSHA: "abc",
		Entry: object.Entry{Bytes: int64(len(text)), Chunks: 2, Modified: 1_700_000_000_123_456_789, Access: object.Access{Mode: 0o640, UID: 3, GID: 4},
			State: object.StateStale, EffectiveFrom: "2026-01-01"},
		Record: object.Document{Revision: object.Sum([]byte(text)), Bytes: int64(len(text)), MediaType: "text/markdown", Title: "Dome", Encoding: "utf-8",
			Coords: object.CoordsSource, Plugin: object.PluginRef{Name: "markdown", Version: "1"}, TextLen: int64(len(text)),
			Policy: object.Policy{Strategy: "structural", MaxTokens: 40, Tokenizer: "words", Oversize: "split"}, Meta: map[string]string{"Author": "A. Berg", "date": "2026-02-03"},
			Skips:    []object.Skip{{Span: span(0, 3), Reason: "bom"}},
			Warnings: []object.Warning{{Code: "ragged_row", Message: "row 2", Span: span(9, 12)}, {Code: "empty"}},
			Cut:      []object.Span{span(1, 2)}},
		Text: func(start, end int64) ([]byte, error) { return []byte(text[start:end]), nil },
	}
}

var chunks = []object.Chunk{
	{Span: span(0, 47), StartLine: 1, EndLine: 5, Kind: "table", Tokens: 9, Breadcrumb: []string{"Dome"}, Section: span(0, 62)},
	{Span: span(47, 62), StartLine: 6, EndLine: 6, Kind: "row", Tokens: 8, Attrs: map[string]string{"row": "2"},
		Context: []object.Context{{Span: span(8, 32), Role: "header"}}, Dropped: []object.Context{{Span: span(0, 6), Role: "lead"}}},
}

func TestShow(t *testing.T) {
	d := document()
	d.EmbedText = func(c object.Chunk) ([]byte, error) { return []byte("Dome\n" + text[c.Span.Start:c.Span.End]), nil }
	a, err := d.Show(chunks)
	if err != nil {
		t.Fatal(err)
	}
	id := func(c object.Chunk) string {
		return object.ChunkID("default", "handbook", "ops/\xffdome.md", object.Sum([]byte("record")), c.Span.Start, c.Span.End).String()
	}
	want := control.Chunk{ID: id(chunks[1]), Source: "handbook", Path: `ops/\xffdome.md`, PathB64: "b3BzL/9kb21lLm1k", Revision: object.Sum([]byte(text)).String(),
		Generation: 7, Index: 1, Start: 47, End: 62, StartLine: 6, EndLine: 6, Text: "| 15 | close |\n",
		Context:        []control.Context{{Start: 8, End: 32, Text: text[8:32], Role: "header"}},
		ContextDropped: []control.Context{{Start: 0, End: 6, Role: "lead"}}, Kind: "row", MediaType: "text/markdown", Tokens: 8,
		EmbedText: "Dome\n" + text[47:62], Coords: "source", Tokenizer: "words", Plugin: control.Plugin{Name: "markdown", Version: "1", SHA256: "abc"},
		Policy: control.Policy{Strategy: "structural", MaxTokens: 40, Tokenizer: "words", Oversize: "split"}, Tenant: "default", Access: "mode:0640 uid:3 gid:4",
		Author: "A. Berg", Date: "2026-02-03", Prev: control.Optional(id(chunks[0])), Attrs: control.Attrs{"row": "2"}, Modified: "2023-11-14T22:13:20Z",
		EffectiveFrom: "2026-01-01", Stale: true}
	if d := cmp.Diff(want, a.Chunks[1]); d != "" {
		t.Error(d)
	}
	if a.Chunks[0].Next != control.Optional(want.ID) || a.Chunks[0].Prev != "" {
		t.Errorf("the first chunk's neighbours: %q, %q", a.Chunks[0].Prev, a.Chunks[0].Next)
	}
	if len(a.Warnings) != 2 || *a.Warnings[0].Start != 9 || a.Warnings[1].Start != nil || a.Skipped[0].Reason != "bom" || a.CutSentences[0] != (control.Span{Start: 1, End: 2}) {
		t.Errorf("beside the chunks: %+v", a)
	}
}

func TestSplitRatio(t *testing.T) {
	d := document()
	a, err := d.Split(chunks)
	if err != nil {
		t.Fatal(err)
	}
	if a.StorageRatio != 1 {
		t.Errorf("ratio %v of chunks that tile the text", a.StorageRatio)
	}
	overlapping := []object.Chunk{chunks[0], {Span: span(31, 62)}}
	if a, err := d.Split(overlapping); err != nil || a.StorageRatio != float64(47+31)/62 {
		t.Errorf("ratio %v of overlapping chunks, %v", a.StorageRatio, err)
	}
	if a.Chunks[0].EmbedText != "" {
		t.Error("an embedding text nobody gave")
	}
	d.Record.TextLen = 0
	if a, err := d.Split(nil); err != nil || a.StorageRatio != 0 || a.Chunks == nil {
		t.Errorf("an empty document: %+v, %v", a, err)
	}
}

func TestListed(t *testing.T) {
	got := (&answer.Document{Path: "a.md", Entry: object.Entry{State: object.StateFailed, Bytes: 3}}).Listed()
	if d := cmp.Diff(control.ListDocument{Path: "a.md", Bytes: 3, State: "failed"}, got); d != "" {
		t.Error(d)
	}
}

func TestTextErrorNamesItsChunk(t *testing.T) {
	damaged := errors.New("block 3 is damaged")
	d := document()
	d.Text = func(int64, int64) ([]byte, error) { return nil, damaged }
	if _, err := d.Split(chunks); !errors.Is(err, damaged) {
		t.Errorf("error %v", err)
	}
}

func TestOrigin(t *testing.T) {
	at := func(start, end int64, page int, cell string) control.Origin {
		return control.Origin{Start: &start, End: &end, Page: page, Cell: cell}
	}
	segments := []object.Segment{
		{Text: span(0, 10), Source: span(100, 110)},            // byte for byte
		{Text: span(10, 12), Source: span(110, 116)},           // atomic: an escape
		{Text: span(12, 20), Source: span(130, 138)},           // after markup
		{Text: span(20, 30), Page: 2},                          // no addresses
		{Text: span(30, 40), Page: 2},                          //
		{Text: span(40, 50), Page: 3},                          //
		{Text: span(50, 54), Source: span(0, 4), Cell: "B7"},   // may lead backwards
		{Text: span(54, 58), Source: span(4, 8), Cell: "B8"},   // another cell
		{Text: span(58, 60), Source: span(200, 210), Page: 14}, //
	}
	cases := []struct {
		span object.Span
		want []control.Origin
	}{
		{span(2, 5), []control.Origin{at(102, 105, 0, "")}},
		{span(8, 11), []control.Origin{at(108, 116, 0, "")}},
		{span(11, 14), []control.Origin{at(110, 116, 0, ""), at(130, 132, 0, "")}},
		{span(22, 42), []control.Origin{{Page: 2}, {Page: 3}}},
		{span(52, 59), []control.Origin{at(2, 4, 0, "B7"), at(4, 8, 0, "B8"), at(200, 210, 14, "")}},
		{span(60, 70), nil},
	}
	for _, c := range cases {
		d := document()
		d.Record.Coords, d.Segments = object.CoordsExtracted, segments
		d.Text = func(int64, int64) ([]byte, error) { return nil, nil }
		got, err := d.Chunk(object.Chunk{Span: c.span}, answer.Place{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(control.List[control.Origin](c.want), got.Origin); d != "" {
			t.Errorf("%v: %s", c.span, d)
		}
	}
}

func TestMeta(t *testing.T) {
	cases := []struct {
		meta         map[string]string
		author, date string
	}{
		{nil, "", ""},
		{map[string]string{"authors": "A, B", "modified": "2026-01-01"}, "A, B", ""},
		{map[string]string{"AUTHOR": "x", "Author": "y", "created": "c", "date": "d"}, "x", "d"},
	}
	for _, c := range cases {
		if a, d := answer.Author(c.meta), answer.Date(c.meta); a != c.author || d != c.date {
			t.Errorf("%v: %q, %q", c.meta, a, d)
		}
	}
}
