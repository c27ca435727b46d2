package index

import (
	"context"
	"fmt"
)

// Sweep removes the rows that neither head nor any held view uses. head must be of the marked generation; anything else
// is ErrBehind. It is cheap where there is nothing to do, and looks at every row only where there are more of them than
// are accounted for: after a crash, or the first time after Open.
func (x *Index) Sweep(ctx context.Context, head *View) error {
	if err := x.writing.take(ctx); err != nil {
		return err
	}
	defer x.writing.give()
	if err := x.sweep(ctx, head); err != nil {
		return fmt.Errorf("index: sweep at generation %d: %w", head.generation.Number, err)
	}
	return nil
}

func (x *Index) sweep(ctx context.Context, head *View) error {
	mark, err := x.Mark()
	if err != nil {
		return err
	}
	if !mark.of(head.generation) {
		return ErrBehind
	}
	dead := x.deadSpares(head)
	if err := x.removeRows(ctx, dead); err != nil {
		return err
	}
	n, err := x.Rows()
	if err != nil {
		return err
	}
	x.mu.Lock()
	known := head.rows + len(x.spare)
	x.mu.Unlock()
	if n == known {
		return nil
	}
	return x.sweepAll(ctx, head)
}

// deadSpares takes the rows out of the book that can go, and those that head uses. What a held view uses stays in it.
func (x *Index) deadSpares(head *View) []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	var dead []string
	for key := range x.spare {
		switch {
		case head.holds(key):
			delete(x.spare, key)
		case !x.heldLocked(key):
			delete(x.spare, key)
			dead = append(dead, key)
		}
	}
	return dead
}

// heldLocked tells whether a held view uses the row.
func (x *Index) heldLocked(key string) bool {
	for h := range x.holds {
		if h.view.holds(key) {
			return true
		}
	}
	return false
}

// sweepAll looks at every row. A view that is held from now on is of the marked generation, as head is, or waits in
// Ensure for this to end.
func (x *Index) sweepAll(ctx context.Context, head *View) (err error) {
	defer recoverDamage(&err)
	reader, err := x.engine.Reader()
	if err != nil {
		return err
	}
	defer reader.Close()
	ids, err := reader.DocIDReaderAll()
	if err != nil {
		return err
	}
	defer ids.Close()
	var dead []string
	for {
		id, err := ids.Next()
		if err != nil {
			return &DamageError{What: err.Error()}
		}
		if id == nil {
			break
		}
		key, err := reader.ExternalID(id)
		if err != nil {
			return &DamageError{What: err.Error()}
		}
		if head.holds(key) {
			continue
		}
		x.mu.Lock()
		if x.heldLocked(key) {
			x.spare[key] = struct{}{}
		} else {
			delete(x.spare, key)
			dead = append(dead, key)
		}
		x.mu.Unlock()
	}
	return x.removeRows(ctx, dead)
}

func (x *Index) removeRows(ctx context.Context, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	b := x.newBatcher()
	defer b.abandon()
	for _, key := range keys {
		if err := b.remove(ctx, key); err != nil {
			return err
		}
	}
	return b.finish(ctx)
}
