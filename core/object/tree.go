package object

import (
	"context"
	"fmt"
	"iter"
	"sort"
)

// Tree reads trees of pages. A tree maps paths to entries; it is named by the ID of its root page, and the zero ID is
// the empty tree.
//
// Where a page ends depends on the paths alone, so equal sets of paths with equal entries have equal roots by any
// history (I8), and a change of one entry changes one page on each level.
type Tree struct {
	// Load reads and verifies one page. It may be called by as many goroutines as read the tree.
	Load func(context.Context, ID) (Page, error)
}

// load reads a page that stands at the given level; level -1 takes any.
func (t Tree) load(ctx context.Context, id ID, level int) (Page, error) {
	p, err := t.Load(ctx, id)
	if err != nil {
		return Page{}, err
	}
	if level >= 0 && p.Level != level {
		return Page{}, fmt.Errorf("page %s: level %d where %d belongs", id, p.Level, level)
	}
	return p, nil
}

// Lookup finds the entry of one path.
func (t Tree) Lookup(ctx context.Context, root ID, path Path) (Entry, bool, error) {
	if root.IsZero() {
		return Entry{}, false, nil
	}
	p, err := t.load(ctx, root, -1)
	for err == nil && p.Level > 0 {
		i := p.find(path)
		if i == len(p.Children) {
			return Entry{}, false, nil
		}
		p, err = t.load(ctx, p.Children[i].Page, p.Level-1)
	}
	if err != nil {
		return Entry{}, false, err
	}
	if i := p.find(path); i < len(p.Items) && p.Items[i].Path == path {
		return p.Items[i].Entry, true, nil
	}
	return Entry{}, false, nil
}

// find is the index of the first row whose path is not below path.
func (p Page) find(path Path) int {
	return sort.Search(p.Keys(), func(i int) bool { return p.key(i) >= path })
}

// Summary sums up a tree from its root page alone.
func (t Tree) Summary(ctx context.Context, root ID) (Child, error) {
	if root.IsZero() {
		return Child{}, nil
	}
	p, err := t.load(ctx, root, -1)
	if err != nil {
		return Child{}, err
	}
	c := p.sum()
	c.Page = root
	return c, nil
}

// Walk gives every item in the order of the paths' bytes. The first error ends it.
func (t Tree) Walk(ctx context.Context, root ID) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		if root.IsZero() {
			return
		}
		w := walker{tree: t, yield: yield}
		w.page(ctx, root, -1)
	}
}

type walker struct {
	tree  Tree
	yield func(Item, error) bool
}

// page tells whether the walk goes on.
func (w walker) page(ctx context.Context, id ID, level int) bool {
	if err := ctx.Err(); err != nil {
		w.yield(Item{}, err)
		return false
	}
	p, err := w.tree.load(ctx, id, level)
	if err != nil {
		w.yield(Item{}, err)
		return false
	}
	for _, it := range p.Items {
		if !w.yield(it, nil) {
			return false
		}
	}
	for _, c := range p.Children {
		if !w.page(ctx, c.Page, p.Level-1) {
			return false
		}
	}
	return true
}

// Pages gives the ID of every page of a tree that skip does not refuse, parents first. What is below a skipped page
// is skipped with it.
func (t Tree) Pages(ctx context.Context, root ID, skip func(ID) bool, visit func(ID, Page) error) error {
	if root.IsZero() {
		return nil
	}
	return t.pages(ctx, root, -1, skip, visit)
}

func (t Tree) pages(ctx context.Context, id ID, level int, skip func(ID) bool, visit func(ID, Page) error) error {
	if err := ctx.Err(); err != nil || skip(id) {
		return err
	}
	p, err := t.load(ctx, id, level)
	if err != nil {
		return err
	}
	if err := visit(id, p); err != nil {
		return err
	}
	for _, c := range p.Children {
		if err := t.pages(ctx, c.Page, p.Level-1, skip, visit); err != nil {
			return err
		}
	}
	return nil
}
