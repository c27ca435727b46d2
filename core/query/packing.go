package query

import (
	"context"
	"fmt"
	"slices"
)

// packing fills the budget with passages.
type packing struct {
	request  *Request
	opened   map[document]*text
	passages []*passage // in order of their best match
	used     int        // tokens of all of them
	tight    []match    // what once found no room
	notes    []string
}

// passage is a range of chunks of one document, and the matches in it.
type passage struct {
	*text
	first, last int // the chunks it holds
	from, to    int // the chunks it may grow to
	tokens      int
	matches     []match
}

// pack takes matches in order; see the package's doc.
func (p *packing) pack(ctx context.Context, matches []match) error {
	first := p.request.Budget
	if p.request.Expand != ExpandNone {
		first = p.request.Budget * 2 / 3 // doc.go says why
	}
	rest, err := p.admitAll(ctx, matches, first)
	if err != nil {
		return err
	}
	if err := p.growAll(ctx); err != nil {
		return err
	}
	if _, err = p.admitAll(ctx, rest, p.request.Budget); err != nil {
		return err
	}
	return p.noteTight(ctx)
}

// admitAll takes in matches as long as there is room below limit, and returns those that did not fit. A single match may
// take more than limit, as long as it keeps to the budget.
func (p *packing) admitAll(ctx context.Context, matches []match, limit int) (left []match, err error) {
	for i := range matches {
		m := &matches[i]
		if p.inside(m) {
			continue
		}
		if len(p.passages) >= p.request.K {
			left = append(left, *m)
			continue
		}
		room := limit
		if len(p.passages) == 0 {
			room = p.request.Budget
		}
		fits, err := p.admit(ctx, m, room)
		if err != nil {
			return nil, err
		}
		if !fits {
			left = append(left, *m)
			p.tight = append(p.tight, *m)
		}
	}
	return left, nil
}

// inside adds a match to a passage that holds its chunk already.
func (p *packing) inside(m *match) bool {
	for _, q := range p.passages {
		if q.source == m.source && q.path == m.Path && q.first <= m.Chunk && m.Chunk <= q.last {
			q.matches = append(q.matches, *m)
			return true
		}
	}
	return false
}

// admit makes a passage of a match's chunk. It tells whether there was room; a document that the caller may not see any
// more counts as taken care of.
func (p *packing) admit(ctx context.Context, m *match, limit int) (bool, error) {
	if !m.source.Admit(m.Path, m.entry) {
		return true, nil // I10: asked again at expansion
	}
	t, err := p.text(ctx, m)
	if err != nil {
		return false, err
	}
	if m.Chunk >= len(t.chunks) {
		return false, fmt.Errorf("%s:%s: chunk %d of %d", m.source.Name, m.Path, m.Chunk, len(t.chunks))
	}
	q := &passage{text: t, first: m.Chunk, last: m.Chunk, matches: []match{*m}}
	q.from, q.to = t.around(p.request, m.Chunk)
	placed, err := p.place(ctx, q, nil, limit)
	return placed != nil, err
}

func (p *packing) text(ctx context.Context, m *match) (*text, error) {
	key := document{m.source, m.Path}
	if t := p.opened[key]; t != nil {
		return t, nil
	}
	t, err := openText(ctx, m)
	if err != nil {
		return nil, err
	}
	p.opened[key] = t
	if t.note != "" && !slices.Contains(p.notes, t.note) {
		p.notes = append(p.notes, t.note)
	}
	return t, nil
}

// place puts in a passage, in the place of old where it is a grown one, together with every passage of the document that
// it overlaps or touches: the result stands where the first of them stood. It changes nothing and returns nil where the
// tokens would go over limit.
func (p *packing) place(ctx context.Context, q, old *passage, limit int) (*passage, error) {
	merged := *q
	kept := make([]*passage, 0, len(p.passages)+1)
	used, at := p.used, -1
	for _, o := range p.passages {
		if o != old && !o.touches(q) {
			kept = append(kept, o)
			continue
		}
		used -= o.tokens
		if at < 0 {
			at = len(kept)
		}
		if o != old {
			merged.take(o)
		}
	}
	tokens, err := q.count(ctx, merged.first, merged.last)
	if err != nil || used+tokens > limit {
		return nil, err
	}
	if at < 0 {
		at = len(kept)
	}
	merged.tokens = tokens
	p.passages = slices.Insert(kept, at, &merged)
	p.used = used + tokens
	return &merged, nil
}

// touches tells whether two passages belong in one. Passages that stand never touch each other, so what touches a new one
// touches its own chunks.
func (q *passage) touches(o *passage) bool {
	return q.text == o.text && q.first <= o.last+1 && o.first <= q.last+1
}

// take makes q the union of both.
func (q *passage) take(o *passage) {
	q.first, q.last = min(q.first, o.first), max(q.last, o.last)
	q.from, q.to = min(q.from, o.from), max(q.to, o.to)
	q.matches = append(slices.Clone(o.matches), q.matches...)
}

// noteTight says what the budget kept out although it ranks above all that is shown: the answer must not pass for the
// best there is.
func (p *packing) noteTight(ctx context.Context) error {
	better := slices.DeleteFunc(p.tight, func(m match) bool {
		return slices.ContainsFunc(p.passages, func(q *passage) bool { return slices.MinFunc(q.matches, byRank).rank < m.rank })
	})
	if len(better) == 0 {
		return nil
	}
	best := slices.MinFunc(better, byRank)
	t, err := p.text(ctx, &best)
	if err != nil {
		return err
	}
	tokens, err := t.count(ctx, best.Chunk, best.Chunk)
	if err != nil {
		return err
	}
	if len(p.passages) == 0 {
		p.notes = append(p.notes, fmt.Sprintf("no match fits the budget: the best has %d tokens, the budget is %d", tokens, p.request.Budget))
		return nil
	}
	p.notes = append(p.notes, fmt.Sprintf("the best match does not fit the budget: it is in %s and has %d tokens, the budget is %d",
		best.Path, tokens, p.request.Budget))
	return nil
}

func byRank(a, b match) int { return a.rank - b.rank }
