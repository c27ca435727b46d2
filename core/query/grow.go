package query

import "context"

// growAll lets passages grow to their window or section as far as the budget goes: first each by an equal share of what
// is left, the best first, and what one does not need is there for the next; then again, without shares.
func (p *packing) growAll(ctx context.Context) error {
	for i := 0; i < len(p.passages); i++ {
		share := (p.request.Budget - p.used) / (len(p.passages) - i)
		if err := p.grow(ctx, p.passages[i], p.used+share); err != nil {
			return err
		}
	}
	for i := 0; i < len(p.passages); i++ { // merging makes the list shorter
		if err := p.grow(ctx, p.passages[i], p.request.Budget); err != nil {
			return err
		}
	}
	return nil
}

// grow takes in neighbours, by turns the chunk that follows and the one before, until neither is in the range or fits.
func (p *packing) grow(ctx context.Context, q *passage, limit int) error {
	for {
		if !q.covered() {
			if err := q.cover(ctx, limit-p.used+q.tokens); err != nil {
				return err
			}
		}
		after, err := p.step(ctx, q, q.first, min(q.last+1, q.to), limit)
		if err != nil {
			return err
		}
		before, err := p.step(ctx, after, max(after.first-1, after.from), after.last, limit)
		if err != nil {
			return err
		}
		if before == q {
			return nil
		}
		q = before
	}
}

// step makes a passage hold first to last and returns what became of it: q itself where there was nothing to do, or no
// room.
func (p *packing) step(ctx context.Context, q *passage, first, last, limit int) (*passage, error) {
	if first == q.first && last == q.last {
		return q, nil
	}
	next := *q
	next.first, next.last = first, last
	grown, err := p.place(ctx, &next, q, limit)
	if grown == nil {
		return q, err
	}
	return grown, nil
}

// bytesPerToken bounds how far a passage looks for room to grow: text has 3 to 5 bytes to a token, and only text of blanks
// more than this.
const bytesPerToken = 16

// covered tells whether the neighbours have been measured.
func (q *passage) covered() bool {
	w := q.window
	return w != nil && w.first <= max(q.first-1, q.from) && min(q.last+1, q.to) <= w.last
}

// cover measures as much of the range around the passage as could become part of it with a number of tokens in all.
func (q *passage) cover(ctx context.Context, tokens int) error {
	first, last := max(q.first-1, q.from), min(q.last+1, q.to)
	room := int64(tokens) * bytesPerToken
	for grown := true; grown; {
		grown = false
		if last < q.to && size(q.span(first, last+1)) <= room {
			last, grown = last+1, true
		}
		if first > q.from && size(q.span(first-1, last)) <= room {
			first, grown = first-1, true
		}
	}
	return q.measure(ctx, first, last)
}
