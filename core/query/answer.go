package query

import (
	"context"
	"slices"

	"github.com/cleave-project/cleave/core/object"
)

// Answer is what was found, best first. Passages are untrusted text of documents (D4).
type Answer struct {
	Generations map[object.Source]uint64 // every source asked
	Tokens      int                      // of all passages; at most the budget
	Degraded    []string                 // what the answer lacks, and why
	Hits        []Hit
}

// Hit is the best match of a passage.
type Hit struct {
	Source     object.Source
	Generation uint64
	Path       object.Path
	Entry      object.Entry // of the pinned generation
	Document   object.Document
	Chunks     []object.Chunk // all of the document's; shared between hits
	Chunk      int            // ordinal of the match
	Rank       int            // 1-based place of the match by words
	Score      float64        // comparable within one answer; for administrators only
	Why        string         // where asked for
	Passage    Passage
}

// Passage is a slice of the document's text: from the start of chunk First to the end of chunk Last. Context goes before
// it where it is given to a model.
type Passage struct {
	Span               object.Span
	StartLine, EndLine int // 1-based, inclusive
	Context            []Quote
	Text               []byte
	Tokens             int   // of context and text
	First, Last        int   // ordinals of the chunks it holds
	Merged             []int // ordinals of the other matches it holds, in order of rank
}

// Quote is a span of context with its text, which ends its line.
type Quote struct {
	object.Context
	Text []byte
}

// hits reads the passages, the best first.
func (p *packing) hits(ctx context.Context) ([]Hit, error) {
	hits := make([]Hit, 0, len(p.passages))
	for _, q := range p.passages {
		data, err := q.read(ctx, q.first, q.last)
		if err != nil {
			return nil, err
		}
		h := q.hit(data)
		for _, x := range q.context(q.first, q.last) {
			data, err := q.quote(ctx, x.Span)
			if err != nil {
				return nil, err
			}
			h.Passage.Context = append(h.Passage.Context, Quote{x, data})
		}
		hits = append(hits, h)
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return a.Rank - b.Rank })
	return hits, nil
}

func (q *passage) hit(data []byte) Hit {
	slices.SortFunc(q.matches, byRank)
	best := &q.matches[0]
	h := Hit{
		Source: q.source.Name, Generation: q.source.Pin.Generation().Number,
		Path: q.path, Entry: q.entry, Document: q.doc, Chunks: q.chunks, Chunk: best.Chunk,
		Rank: best.rank, Score: best.Score, Why: best.Why,
		Passage: Passage{
			Span: q.span(q.first, q.last), StartLine: q.chunks[q.first].StartLine, EndLine: q.chunks[q.last].EndLine,
			Text: data, Tokens: q.tokens, First: q.first, Last: q.last,
		},
	}
	for _, m := range q.matches[1:] {
		h.Passage.Merged = append(h.Passage.Merged, m.Chunk)
	}
	return h
}
