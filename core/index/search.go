package index

import (
	"context"
	"fmt"

	api "github.com/blevesearch/bleve_index_api"

	"github.com/cleave-project/cleave/core/object"
)

// Query is what to search for. The filters are asked before ranking: what they refuse takes no place in the answer and
// pushes nothing out of it (I10, D3).
type Query struct {
	Text    string
	K       int                          // how many matches at most
	Admit   func(*Document) bool         // nil admits; asked at most once for a document in a search
	Chunk   func(kind, lang string) bool // nil accepts; lang is the chunk's, or else the document's
	Explain bool

	// Statistics, of Hold.Statistics for the same text, weigh the terms; nil: as they are counted in the view.
	Statistics *Statistics
}

// Match is a chunk whose words match.
type Match struct {
	Path  object.Path
	Doc   object.ID // document record
	Chunk int       // ordinal in the document
	Score float64   // comparable within one source only
	Why   string    // contributions of the terms, one line, where asked for
}

// Search finds the best matches of a view, best first; equal scores are ordered by path and chunk. The view must be of
// the marked generation, or be held: otherwise the index may lack rows of it, and ErrBehind says so. One reader serves
// the look at the mark and the search, so that what Follow and Sweep do meanwhile is not seen (I9).
func (x *Index) Search(ctx context.Context, v *View, q Query) ([]Match, error) {
	return x.searchHeld(ctx, v, x.readyHold(v), q)
}

// Search is Index.Search for a view whose rows are known to be there.
func (h *Hold) Search(ctx context.Context, q Query) ([]Match, error) {
	return h.x.searchHeld(ctx, h.view, h, q)
}

func (x *Index) searchHeld(ctx context.Context, v *View, hold *Hold, q Query) ([]Match, error) {
	matches, err := x.search(ctx, v, hold, q)
	if err != nil {
		return nil, fmt.Errorf("index: search generation %d: %w", v.generation.Number, err)
	}
	return matches, nil
}

func (x *Index) search(ctx context.Context, v *View, hold *Hold, q Query) (matches []Match, err error) {
	defer recoverDamage(&err)
	reader, err := x.engine.Reader()
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	mark, err := markOf(reader)
	if err != nil {
		return nil, err
	}
	if !x.isHeld(hold) && !mark.of(v.generation) { // held before and after: held when the reader was taken
		return nil, ErrBehind
	}
	if q.K <= 0 {
		return nil, nil
	}
	var sums lengths
	if hold != nil {
		sums = hold.lengths
	} else if sums, err = lengthsOf(reader); err != nil {
		return nil, err
	}
	best, err := x.rank(ctx, reader, v, sums, q)
	if err != nil {
		return nil, unlessEnded(ctx, err)
	}
	return finished(best), nil
}

// rank scores the rows of a reader that the view holds and the query admits.
func (x *Index) rank(ctx context.Context, reader api.IndexReader, v *View, sums lengths, q Query) ([]*candidate, error) {
	s, err := newScorer(reader, v, sums, q.Statistics)
	if err != nil {
		return nil, err
	}
	groups, err := s.groups(ctx, x.queryTerms(q.Text))
	if err != nil {
		return nil, err
	}
	if err := s.addAll(ctx, groups); err != nil {
		return nil, err
	}
	best, err := s.best(ctx, &admission{view: v, query: q, asked: make(map[*Document]bool)}, q.K)
	if err == nil && q.Explain {
		err = s.explain(ctx, groups, best)
	}
	return best, err
}

// admission says which rows count: alive in the view, admitted, and of the kind asked for.
type admission struct {
	view  *View
	query Query
	asked map[*Document]bool
}

// chunk returns the document and the first chunk of a row that pass.
func (a *admission) chunk(key string) (*Document, int, bool) {
	p, w, ok := parseRowKey(key)
	if !ok {
		return nil, 0, false
	}
	d := a.view.document(p)
	if d == nil {
		return nil, 0, false
	}
	rows := d.chunksOf(w)
	if len(rows) == 0 || !a.admits(d) {
		return nil, 0, false
	}
	for _, r := range rows {
		if a.query.Chunk == nil || a.query.Chunk(d.labels[r.kind], langOf(d, r)) {
			return d, int(r.chunk), true
		}
	}
	return nil, 0, false
}

func (a *admission) admits(d *Document) bool {
	if a.query.Admit == nil {
		return true
	}
	ok, asked := a.asked[d]
	if !asked {
		ok = a.query.Admit(d)
		a.asked[d] = ok
	}
	return ok
}

func langOf(d *Document, r rowOfChunk) string {
	if lang := d.labels[r.lang]; lang != "" {
		return lang
	}
	return d.Lang
}
