package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
	"github.com/cleave-project/cleave/sdk"
)

// result is what came out, and whether it keeps the promises.
type result struct {
	Generation object.Counts `json:"generation"`
	Tokens     int           `json:"tokens"`          // of all embedding texts
	Rows       int           `json:"rows"`            // in the index
	OverBudget int           `json:"over_budget"`     // chunks whose embedding text, counted anew, is over budget (I5)
	Miscounted int           `json:"miscounted"`      // chunks whose count is not that of their embedding text
	Uncovered  int64         `json:"uncovered_bytes"` // non-space bytes in no chunk and no skipped span (I6)
	Unequal    int           `json:"unequal_slices"`  // chunks whose text is not the file's at the same bytes (I4)
	Disk       int64         `json:"disk_bytes"`
	DiskRatio  float64       `json:"disk_ratio"` // over the bytes of the corpus
}

// kept tells whether no promise is broken.
func (r result) kept() bool {
	return r.OverBudget == 0 && r.Miscounted == 0 && r.Uncovered == 0 && r.Unequal == 0
}

// verify reads everything back out of the store and holds it against the files.
func (b *bench) verify(ctx context.Context, s *state) (r result, err error) {
	pin, err := s.store.Pin(ctx, "bench", 0)
	if err != nil {
		return r, err
	}
	defer pin.Release()
	r.Generation = pin.Generation().Counts
	for item, err := range pin.All(ctx) {
		if err == nil && !item.Entry.Doc.IsZero() {
			err = b.verifyDocument(ctx, &r, pin, item)
		}
		if err != nil {
			return r, fmt.Errorf("%s: %w", item.Path, err)
		}
	}
	return r, nil
}

func (b *bench) verifyDocument(ctx context.Context, r *result, pin *store.Pin, item object.Item) error {
	doc, err := pin.Document(ctx, item.Entry.Doc)
	if err != nil {
		return err
	}
	chunks, err := pin.Chunks(ctx, doc)
	if err != nil {
		return err
	}
	text, err := pin.Text(ctx, doc, 0, doc.TextLen)
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(filepath.Join(b.o.corpus, string(item.Path)))
	if err != nil {
		return err
	}
	for _, c := range chunks {
		b.verifyChunk(r, doc, c, text, raw)
	}
	r.Uncovered += uncovered(doc, chunks, text)
	return nil
}

func (b *bench) verifyChunk(r *result, doc object.Document, c object.Chunk, text, raw []byte) {
	n := b.tok.Count(chunk.EmbedText(doc.Title, doc.Titled, c, text)) + b.tok.Special()
	r.Tokens += n
	if n > b.o.policy.MaxTokens {
		r.OverBudget++
	}
	if n != c.Tokens {
		r.Miscounted++
	}
	same := doc.Coords != object.CoordsSource || // an extracted text has its own bytes
		c.Span.End <= int64(len(raw)) && bytes.Equal(text[c.Span.Start:c.Span.End], raw[c.Span.Start:c.Span.End])
	if !same {
		r.Unequal++
	}
}

// uncovered counts the bytes of characters other than space that are in no chunk and no skipped span.
func uncovered(doc object.Document, chunks []object.Chunk, text []byte) int64 {
	covered := make([]bool, len(text))
	cover := func(s object.Span) {
		for i := s.Start; i < s.End; i++ {
			covered[i] = true
		}
	}
	for _, c := range chunks {
		cover(c.Span)
	}
	if doc.Coords == object.CoordsSource { // else skipped spans may be the file's bytes
		for _, s := range doc.Skips {
			cover(s.Span)
		}
	}
	var n int64
	for i := 0; i < len(text); {
		r, w := utf8.DecodeRune(text[i:])
		if !covered[i] && !sdk.IsSpace(r) {
			n += int64(w)
		}
		i += w
	}
	return n
}
