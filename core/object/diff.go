package object

import (
	"context"
	"iter"
)

// Diff gives the changes that lead from tree a to tree b in the order of the paths' bytes. Equal subtrees are skipped
// without being read. The first error ends it.
func (t Tree) Diff(ctx context.Context, a, b ID) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		d := differ{tree: t}
		if err := d.open(ctx, a, b); err != nil {
			yield(Change{}, err)
			return
		}
		for {
			c, more, err := d.next(ctx)
			if err != nil {
				yield(Change{}, err)
				return
			}
			if !more || !yield(c, nil) {
				return
			}
		}
	}
}

// front is what is still to come of one tree: rows in descending order, so that the next one is at the end. A row is
// an item or a page that has not been read yet.
type front struct {
	rows  []row
	floor Path // everything to come is greater
}

func (f *front) top() *row {
	if len(f.rows) == 0 {
		return nil
	}
	return &f.rows[len(f.rows)-1]
}

func (f *front) pop() row {
	r := *f.top()
	f.rows = f.rows[:len(f.rows)-1]
	f.floor = r.key
	return r
}

// differ walks two trees side by side.
type differ struct {
	tree Tree
	a, b front
}

func (d *differ) open(ctx context.Context, a, b ID) error {
	if a == b {
		return nil
	}
	for _, side := range []struct {
		f    *front
		root ID
	}{{&d.a, a}, {&d.b, b}} {
		if side.root.IsZero() {
			continue
		}
		p, err := d.tree.load(ctx, side.root, -1)
		if err != nil {
			return err
		}
		side.f.push(p)
	}
	return nil
}

// next is the next difference; more is false at the end.
func (d *differ) next(ctx context.Context) (c Change, more bool, err error) {
	for {
		a, b := d.a.top(), d.b.top()
		if a == nil && b == nil {
			return Change{}, false, nil
		}
		if err := ctx.Err(); err != nil {
			return Change{}, false, err
		}
		if f := d.unread(a, b); f != nil {
			if err := d.read(ctx, f); err != nil {
				return Change{}, false, err
			}
			continue
		}
		if c, differs := d.step(a, b); differs {
			return c, true, nil
		}
	}
}

// step consumes the lesser item on top, or the equal pages. Unread has made sure that it may.
func (d *differ) step(a, b *row) (Change, bool) {
	switch {
	case onlyIn(a, b):
		r := d.a.pop()
		return Change{Path: r.key, Old: &r.entry}, true
	case onlyIn(b, a):
		r := d.b.pop()
		return Change{Path: r.key, New: &r.entry}, true
	}
	old, now := d.a.pop(), d.b.pop()
	if !old.isItem() || old.entry == now.entry {
		return Change{}, false
	}
	return Change{Path: now.key, Old: &old.entry, New: &now.entry}, true
}

// onlyIn tells whether r is an item that the other side does not have: there the next item, or all of the next page,
// is greater.
func onlyIn(r, other *row) bool {
	if r == nil || !r.isItem() {
		return false
	}
	return other == nil || !other.isItem() || r.key < other.key
}

// unread is the side whose top page must be read before the tops can be compared, nil if they can be now.
func (d *differ) unread(a, b *row) *front {
	switch {
	case a == nil:
		return pageOf(&d.b, b)
	case b == nil:
		return pageOf(&d.a, a)
	case a.isItem() && b.isItem():
		return nil
	case a.isItem():
		return behind(a, &d.b)
	case b.isItem():
		return behind(b, &d.a)
	case a.child.Page == b.child.Page:
		return nil
	case a.level > b.level, a.level == b.level && a.key <= b.key:
		return &d.a
	}
	return &d.b
}

func pageOf(f *front, r *row) *front {
	if r.isItem() {
		return nil
	}
	return f
}

// behind is f if the page on top of f may hold paths up to the item's, nil if it lies wholly beyond it.
func behind(item *row, f *front) *front {
	if item.key <= f.floor {
		return nil
	}
	return f
}

// read puts the rows of f's top page in its place.
func (d *differ) read(ctx context.Context, f *front) error {
	r := f.top()
	p, err := d.tree.load(ctx, r.child.Page, r.level)
	if err != nil {
		return err
	}
	f.rows = f.rows[:len(f.rows)-1]
	f.push(p)
	return nil
}

func (f *front) push(p Page) {
	rows := p.rows()
	for i := len(rows) - 1; i >= 0; i-- {
		f.rows = append(f.rows, rows[i])
	}
}
