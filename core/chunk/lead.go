package chunk

import (
	"slices"
	"sort"
)

// What leads to something, a heading, a caption or a decorator, stays with it. Where a block does not fit, the breadcrumb
// gives way first (lean), then the body is cut and the leads go with its first piece, however small (large). A chunk of
// leads alone is left only where not even that fits, where nothing follows, or where the body must stay whole.

// lean makes room for a heading and the body it leads to by leaving out outer elements of the breadcrumb, as few as will
// do: better than a heading that ends a chunk, or a body cut for its sake.
func (k *packer) lean(b *block, g *group) (*frame, bool) {
	if !k.headed(b.leads) || k.headerEnd(b.leads) > 0 {
		return nil, false
	}
	if f := k.frameWithout(g, k.room/share, everything); !k.fits(f, g.span, k.room) {
		return nil, false
	}
	p := k.prefixOf(g.top)
	for n := p.unprefixed + 1; ; n++ {
		if f := k.frameWithout(g, k.room/share, n); k.fits(f, g.span, k.room) {
			return f, true
		}
	}
}

func (k *packer) headed(leads []atom) bool {
	return slices.ContainsFunc(leads, func(a atom) bool { return a.lead == heads })
}

// headerEnd is how many leads there are up to the last header row; 0 where there is none.
func (k *packer) headerEnd(leads []atom) int {
	for n := len(leads); n > 0; n-- {
		if leads[n-1].lead == heads && k.headsTable(leads[n-1].unit) {
			return n
		}
	}
	return 0
}

// large handles a block that does not fit. It gives out its leads, its body or both; what then is left, it leaves in b
// and returns true. A header row among the leads is the first piece of its table, to which what is before it clings.
func (k *packer) large(b *block, m mode) (again bool, err error) {
	if b.body.lead == heads && !k.headsTable(b.body.unit) {
		return false, k.plain(append(slices.Clip(b.leads), *b.body))
	}
	if n := k.headerEnd(b.leads); n > 0 {
		err := k.head(b.leads[:n])
		b.leads = b.leads[n:]
		return true, err
	}
	return k.open(b, m)
}

// open cuts the body of a block, whose first piece takes as many of the leads as fit, from the innermost. The others
// are given out before, and then again is true, as for all that large leaves.
func (k *packer) open(b *block, m mode) (again bool, err error) {
	fits := k.fitsAlone(&block{body: b.body})
	if !fits && k.policy.Oversize == OversizeReject {
		return false, k.reject(b.body)
	}
	if n := k.behind(b, fits, m); n > 0 {
		if n < len(b.leads) && k.heads(&b.leads[n-1], &b.leads[n]) {
			n++
		}
		err := k.plain(b.leads[:n])
		b.leads = b.leads[n:]
		return true, err
	}
	return false, k.cutAtom(b.leads, b.body)
}

// behind is how many leads to leave behind, from the outermost, so that the others go with the first piece of the body.
func (k *packer) behind(b *block, fits bool, m mode) int {
	n := len(b.leads)
	if n == 0 || !fits && k.atChildren(b.body.unit) { // the first child knows
		return 0
	}
	begins := k.wholly(b.body)
	if !fits || k.worthCutting(b, m) {
		begins = k.beginning(b)
	}
	for n > 0 && k.atMost(b.leads[n-1:], k.room) {
		n--
	}
	return n + sort.Search(len(b.leads)-n, func(i int) bool { return begins(b.leads[n+i].text.start) })
}

func (k *packer) atMost(leads []atom, limit int) bool {
	return k.fits(&frame{counted: k.whole}, span{leads[0].text.start, leads[len(leads)-1].text.end}, limit)
}

// worthCutting tells whether a body that fits without its leads is to be cut for their sake. It is so for headings, which
// must not end a chunk if any other way fits, and in a unit that is cut anyway. A unit that fits is not cut for another
// that clings to it.
func (k *packer) worthCutting(b *block, m mode) bool {
	return k.policy.Oversize != OversizeReject && (m == cuts || k.headed(b.leads))
}

// wholly tells of a place whether a chunk from there on has room for all of a.
func (k *packer) wholly(a *atom) func(start int) bool {
	return func(start int) bool {
		g := k.single(span{start, a.text.end}, a.unit)
		_, ok := k.fit(&g, k.room)
		return ok
	}
}

// beginning tells of a place whether a chunk from there on has room for the smallest first piece of b's body: that of
// its first child, and so on; of a table that of its header; all of what is never cut.
func (k *packer) beginning(b *block) func(start int) bool {
	last, a := b.leads[len(b.leads)-1], *b.body
	for k.atChildren(a.unit) {
		kids := k.children(a)
		if len(kids) == 0 || !k.leadsTo(&last, &kids[0]) {
			return func(int) bool { return false }
		}
		n := slices.IndexFunc(kids, func(kid atom) bool { return kid.lead == heads && k.headsTable(kid.unit) })
		if body := k.bodyOf(kids, 0); n < 0 || n > body {
			n = body
		}
		if n > 0 {
			last = kids[n-1]
		}
		a = kids[n]
	}
	if k.neverCut(a.unit) && k.fitsAlone(&block{body: &a}) {
		return k.wholly(&a)
	}
	if k.isRow(a.unit) {
		r := k.rowOf(&a)
		return func(start int) bool { _, ok := r.first(start); return ok }
	}
	how := looseText
	if a.unit >= 0 {
		how = waysOf(&k.tree.units[a.unit])
	}
	w := k.windowOf(&a, how)
	return func(start int) bool { _, ok := w.first(start); return ok }
}

// head gives out leads of which the last is a header row. Those that fit together share a chunk; before the first header
// row at least a part of it.
func (k *packer) head(leads []atom) error {
	for len(leads) > 0 {
		n := slices.IndexFunc(leads, func(a atom) bool { return a.lead == heads && k.headsTable(a.unit) })
		b := block{leads: leads[:n], body: &leads[n]}
		if k.fitsAlone(&b) {
			done, err := k.gather(leads, n+1)
			if err != nil {
				return err
			}
			leads = leads[done:]
			continue
		}
		again, err := k.open(&b, cuts)
		if err != nil {
			return err
		}
		if again {
			leads = leads[n-len(b.leads):]
		} else {
			leads = leads[n+1:]
		}
	}
	return nil
}

// heads tells whether a heading that is left behind has room for at least a part of the caption after it: it is in more
// need of that than the caption is of what follows.
func (k *packer) heads(a, next *atom) bool {
	if a.lead != heads || next.lead == heads {
		return false
	}
	return k.beginning(&block{leads: []atom{*a}, body: next})(a.text.start)
}

// plain gives out leads without what they lead to. Those that fit together share a chunk, which belongs to where the
// last of them stands. Of the others, a heading still goes with the first piece of a caption, and all go with that of one
// that must be cut.
func (k *packer) plain(leads []atom) error {
	for len(leads) > 0 {
		n, err := k.plainly(leads)
		if err != nil {
			return err
		}
		leads = leads[n:]
	}
	return nil
}

// plainly is one step of plain, and returns how many leads it gave out.
func (k *packer) plainly(leads []atom) (int, error) {
	n := 0
	for n < len(leads) && k.fitsAlone(&block{leads: leads[:n], body: &leads[n]}) {
		n++
	}
	if n < len(leads) {
		next := &leads[n]
		ends := n > 0 && leads[n-1].lead == heads && next.lead != heads
		if ends || !k.fitsAlone(&block{body: next}) {
			b := block{leads: leads[:n], body: next}
			again, err := k.open(&b, cuts)
			if again {
				return n - len(b.leads), err
			}
			return n + 1, err
		}
	}
	return k.gather(leads, n)
}

// gather makes a chunk of the first n leads, which fit, and as many more as do, and returns how many that are.
func (k *packer) gather(leads []atom, n int) (int, error) {
	g := k.groupOf(&block{leads: leads[:n-1], body: &leads[n-1]})
	f, _ := k.fit(&g, k.room)
	for ; n < len(leads); n++ {
		more := k.groupOf(&block{leads: leads[:n], body: &leads[n]})
		mf, ok := k.fit(&more, k.room)
		if !ok {
			break
		}
		g, f = more, mf
	}
	return n, k.emit(&g, f)
}
