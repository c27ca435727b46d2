package index

import (
	"context"
	"fmt"
)

// Hold keeps the rows of a view in the index until it is released, whatever Follow and Sweep do meanwhile: it is the
// index's part of a lease on a generation (I9).
type Hold struct {
	x       *Index
	view    *View
	ready   bool    // guarded by x.mu: all rows of the view are there
	lengths lengths // of the view's rows; set before ready
}

// Hold takes a lease on a view of the marked generation. ErrBehind: the mark is another.
func (x *Index) Hold(v *View) (*Hold, error) {
	x.mu.Lock() // before the mark is read: Sweep looks at holds under the same lock, after the mark has moved
	defer x.mu.Unlock()
	reader, err := x.engine.Reader()
	if err != nil {
		return nil, fmt.Errorf("index %s: %w", x.dir, err)
	}
	defer reader.Close()
	mark, err := markOf(reader)
	if err != nil {
		return nil, err
	}
	if !mark.of(v.generation) {
		return nil, fmt.Errorf("generation %d, mark %d: %w", v.generation.Number, mark.Number, ErrBehind)
	}
	sums, err := lengthsOf(reader)
	if err != nil {
		return nil, err
	}
	h := x.holdLocked(v)
	h.ready, h.lengths = true, sums
	return h, nil
}

func (x *Index) holdLocked(v *View) *Hold {
	h := &Hold{x: x, view: v}
	x.holds[h] = struct{}{}
	return h
}

// Ensure takes a lease on a view of any generation: rows that are missing are written first, from t, the pin of the
// view's generation. The mark stays where it is.
func (x *Index) Ensure(ctx context.Context, t Tree, v *View) (*Hold, error) {
	if err := x.writing.take(ctx); err != nil {
		return nil, err
	}
	defer x.writing.give()
	x.mu.Lock()
	h := x.holdLocked(v)
	x.mu.Unlock()
	sums, err := x.ensure(ctx, t, v)
	if err != nil {
		h.Release()
		return nil, fmt.Errorf("index: rows of generation %d: %w", v.generation.Number, err)
	}
	x.mu.Lock()
	h.ready, h.lengths = true, sums
	x.mu.Unlock()
	return h, nil
}

// readyHold returns a hold that vouches for the view's rows, or nil.
func (x *Index) readyHold(v *View) *Hold {
	x.mu.Lock()
	defer x.mu.Unlock()
	for h := range x.holds {
		if h.view == v && h.ready {
			return h
		}
	}
	return nil
}

func (x *Index) isHeld(h *Hold) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	_, held := x.holds[h]
	return held
}

// ensure writes the rows of a view that are missing and returns the lengths of all of them.
func (x *Index) ensure(ctx context.Context, t Tree, v *View) (lengths, error) {
	f, err := x.newFill(t)
	if err != nil {
		return lengths{}, err
	}
	defer f.close()
	for _, documents := range []map[pathKey]*Document{v.base, v.over} {
		for key, d := range documents {
			if d == nil || v.document(key) != d {
				continue
			}
			if err := f.missing(ctx, key, d); err != nil {
				return lengths{}, fmt.Errorf("%s: %w", d.Path, err)
			}
		}
	}
	if err := f.batcher.finish(ctx); err != nil {
		return lengths{}, err
	}
	x.remember(f.added, nil) // not of the marked generation, as far as is known here: Sweep finds out
	return f.lengths(), nil
}

// missing writes the document's rows where one of them is not there, and counts them all.
func (f *fill) missing(ctx context.Context, p pathKey, d *Document) error {
	var sums lengths
	for words := range d.words() {
		l, there, err := f.has(rowKey(p, words))
		if err != nil {
			return err
		}
		if !there {
			_, err := f.document(ctx, d.Path, d.Entry.Doc, new(Document))
			return err
		}
		sums.add(l)
	}
	f.sums.add(sums)
	return nil
}

// View is what the lease is on.
func (h *Hold) View() *View { return h.view }

// Release ends the lease. Releasing twice does no harm.
func (h *Hold) Release() {
	h.x.mu.Lock()
	defer h.x.mu.Unlock()
	delete(h.x.holds, h)
}
