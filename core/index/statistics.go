package index

import (
	"context"
	"fmt"
)

// Statistics are what BM25 weighs the terms of a query by. Those of several indexes add up, and a search that is given
// the sum scores as if all their rows were in one index: so matches of several sources can be ranked in one list.
type Statistics struct {
	lengths lengths // and how many rows there are
	counts  map[fieldTerm]uint64
}

// fieldTerm is a term of a query in one field.
type fieldTerm struct {
	field string
	queryTerm
}

// Statistics counts the terms of a query in the rows of the hold's view.
func (h *Hold) Statistics(ctx context.Context, text string) (s *Statistics, err error) {
	defer recoverDamage(&err)
	reader, err := h.x.engine.Reader()
	if err != nil {
		return nil, fmt.Errorf("index: statistics: %w", err)
	}
	defer reader.Close()
	sc, err := newScorer(reader, h.view, h.lengths, nil)
	if err != nil {
		return nil, fmt.Errorf("index: statistics: %w", err)
	}
	groups, err := sc.groups(ctx, h.x.queryTerms(text))
	if err != nil {
		return nil, fmt.Errorf("index: statistics: %w", unlessEnded(ctx, err))
	}
	s = sc.statistics
	for _, g := range groups {
		s.counts[g.fieldTerm] = g.rows
	}
	return s, nil
}

// Add takes in what another index counted for the same query.
func (s *Statistics) Add(o *Statistics) {
	s.lengths.add(o.lengths)
	for term, n := range o.counts {
		s.counts[term] += n
	}
}
