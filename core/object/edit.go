package object

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Edit sets or, with a nil Entry, removes the entry of one path. Removing what is not there changes nothing.
type Edit struct {
	Path  Path
	Entry *Entry
}

// Edit applies edits, in any order but at most one for each path, and returns the summary of the new tree; its Page is
// the new root. New pages go to put, which returns their ID and may be given pages that the new tree does not use or
// the old one has. Only pages that the edits touch are read and written. The edits are sorted in place.
func (t Tree) Edit(ctx context.Context, root ID, edits []Edit, put func(Page) (ID, error)) (Child, error) {
	rows, err := rowEdits(edits)
	if err != nil {
		return Child{}, err
	}
	e := &editor{tree: t, put: put, inner: map[ID]Page{}, root: root, height: -1}
	if !root.IsZero() {
		p, err := e.load(ctx, root, -1)
		if err != nil {
			return Child{}, err
		}
		e.height = p.Level
	}
	return e.run(ctx, rows)
}

// rowEdit is an edit of a row on any level; a nil row removes.
type rowEdit struct {
	key Path
	row *row
}

func rowEdits(edits []Edit) ([]rowEdit, error) {
	slices.SortFunc(edits, func(a, b Edit) int { return strings.Compare(string(a.Path), string(b.Path)) })
	out := make([]rowEdit, len(edits))
	for i, e := range edits {
		if e.Path == "" || i > 0 && edits[i-1].Path == e.Path {
			return nil, fmt.Errorf("edit of path %q: empty or given twice", e.Path)
		}
		out[i].key = e.Path
		if e.Entry != nil {
			out[i].row = &row{key: e.Path, entry: *e.Entry, level: -1}
		}
	}
	return out, nil
}

// editor is one Edit under way.
type editor struct {
	tree   Tree
	put    func(Page) (ID, error)
	inner  map[ID]Page // inner pages read or written: seeks and the new root's descent need them again
	root   ID
	height int // level of the old root, -1 for the empty tree
}

func (e *editor) load(ctx context.Context, id ID, level int) (Page, error) {
	if p, ok := e.inner[id]; ok {
		return p, nil
	}
	p, err := e.tree.load(ctx, id, level)
	if err == nil && p.Level > 0 {
		e.inner[id] = p
	}
	return p, err
}

// run edits level by level from the leaves up: what changes on one level are edits of the level above.
func (e *editor) run(ctx context.Context, edits []rowEdit) (Child, error) {
	for level := 0; ; level++ {
		if len(edits) == 0 {
			return e.tree.Summary(ctx, e.root)
		}
		added, removed, err := e.level(ctx, level, edits)
		if err != nil {
			return Child{}, err
		}
		if level >= e.height {
			// The old root was the only page of its level, and it has been replaced.
			return e.crown(ctx, level, added)
		}
		edits = replace(removed, added)
	}
}

// level applies edits to the rows of one level. It returns the pages that came into being and the last keys of those
// that went, both in order.
func (e *editor) level(ctx context.Context, level int, edits []rowEdit) (added []row, removed []row, err error) {
	g := &pager{level: level, emit: func(p Page) error {
		r, err := e.write(p)
		added = append(added, r)
		return err
	}}
	if e.height < 0 {
		err = e.append(g, edits)
		return added, nil, err
	}
	for len(edits) > 0 && err == nil {
		c := &cursor{editor: e, level: level}
		if err = c.seek(ctx, edits[0].key); err != nil {
			break
		}
		edits, err = e.stretch(ctx, c, g, edits, func(old row) { removed = append(removed, old) })
	}
	return added, removed, err
}

// append pages edits onto nothing.
func (e *editor) append(g *pager, edits []rowEdit) error {
	for _, ed := range edits {
		if ed.row == nil {
			continue
		}
		if err := g.add(*ed.row); err != nil {
			return err
		}
	}
	return g.flush()
}

// stretch rewrites pages from where the cursor stands until a new page ends where an old one does, and returns the
// edits that are left. The page before the first is untouched, so the first begins where a page begins.
func (e *editor) stretch(ctx context.Context, c *cursor, g *pager, edits []rowEdit, gone func(row)) ([]rowEdit, error) {
	for {
		page, isLast := c.page, c.isLast()
		gone(c.ref())
		n := len(edits)
		if !isLast {
			last := page.last()
			n, _ = slices.BinarySearchFunc(edits, last, func(ed rowEdit, key Path) int {
				if ed.key <= key {
					return -1
				}
				return 1
			})
		}
		if err := merge(page.rows(), edits[:n], g.add); err != nil {
			return nil, err
		}
		edits = edits[n:]
		if isLast {
			return edits, g.flush()
		}
		if g.aligned() {
			return edits, nil
		}
		if err := c.next(ctx); err != nil {
			return nil, err
		}
	}
}

// merge gives the rows with the edits applied to add, in order.
func merge(rows []row, edits []rowEdit, add func(row) error) error {
	for len(rows) > 0 || len(edits) > 0 {
		var r row
		switch {
		case len(edits) == 0 || len(rows) > 0 && rows[0].key < edits[0].key:
			r, rows = rows[0], rows[1:]
		default:
			ed := edits[0]
			edits = edits[1:]
			if len(rows) > 0 && rows[0].key == ed.key {
				rows = rows[1:]
			}
			if ed.row == nil {
				continue
			}
			r = *ed.row
		}
		if err := add(r); err != nil {
			return err
		}
	}
	return nil
}

func (e *editor) write(p Page) (row, error) {
	id, err := e.put(p)
	if err != nil {
		return row{}, err
	}
	if p.Level > 0 {
		e.inner[id] = p
	}
	c := p.sum()
	c.Page = id
	return row{key: c.Last, child: c, level: p.Level}, nil
}

// replace turns pages gone and pages come into edits of the level above; a page that came back as it was is none.
func replace(removed, added []row) []rowEdit {
	var out []rowEdit
	for len(removed) > 0 || len(added) > 0 {
		switch {
		case len(added) == 0 || len(removed) > 0 && removed[0].key < added[0].key:
			out = append(out, rowEdit{key: removed[0].key})
			removed = removed[1:]
		case len(removed) == 0 || added[0].key < removed[0].key:
			out = append(out, rowEdit{key: added[0].key, row: &added[0]})
			added = added[1:]
		default:
			if removed[0].child.Page != added[0].child.Page {
				out = append(out, rowEdit{key: added[0].key, row: &added[0]})
			}
			removed, added = removed[1:], added[1:]
		}
	}
	return out
}

// crown builds the levels above the given pages, all there are at their level, and finds the root: the lowest page
// that is alone on its level.
func (e *editor) crown(ctx context.Context, level int, pages []row) (Child, error) {
	for len(pages) > 1 {
		level++
		var above []row
		g := &pager{level: level, emit: func(p Page) error {
			r, err := e.write(p)
			above = append(above, r)
			return err
		}}
		for _, r := range pages {
			if err := g.add(r); err != nil {
				return Child{}, err
			}
		}
		if err := g.flush(); err != nil {
			return Child{}, err
		}
		pages = above
	}
	if len(pages) == 0 {
		return Child{}, nil
	}
	return e.descend(ctx, pages[0])
}

func (e *editor) descend(ctx context.Context, r row) (Child, error) {
	for r.level > 0 {
		p, err := e.load(ctx, r.child.Page, r.level)
		if err != nil {
			return Child{}, err
		}
		if len(p.Children) > 1 {
			break
		}
		r = p.rows()[0]
	}
	return r.child, nil
}
