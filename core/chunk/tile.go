package chunk

import (
	"sort"

	"github.com/cleave-project/cleave/sdk"
)

// lead says how an atom belongs to the one after it.
type leadKind uint8

const (
	// stands: not at all.
	stands leadKind = iota
	// clings: it stays with the next one as long as both fit, and with the first piece of one that is cut.
	clings
	// heads: it is a heading or a header row, starts a chunk and never ends one if that can be helped.
	heads
)

// atom is a tile of one unit: its bytes and those that belong to it. Atoms are in order, do not overlap, hold no
// skipped byte and at least one that is not white space.
type atom struct {
	tile span
	text span // tile, trimmed
	unit int  // none: text outside of all units
	lead leadKind
	wall bool // nothing joins across its start
}

// flattener walks the tree in pre-order and gives out atoms. Opened units are on a stack, so depth costs no recursion.
type flattener struct {
	k     *packer
	open  []region
	atoms []atom
	wall  bool
}

// region is an opened unit: the bytes its children share, and the child before.
type region struct {
	tile   span
	end    int  // index after the unit's subtree
	before span // the elder sibling; the zero span: none
	border bool
}

// flatten is the atoms of the whole text.
func (k *packer) flatten() []atom {
	f := &flattener{k: k}
	all := span{0, len(k.text)}
	if len(k.tree.units) == 0 {
		f.put(none, k.clear(all))
		return f.atoms
	}
	f.open = append(f.open, region{tile: all, end: len(k.tree.units)})
	for i := 0; i < len(k.tree.units); {
		f.close(i)
		i = f.visit(i)
	}
	return f.atoms
}

// close leaves the units whose subtree ends at i.
func (f *flattener) close(i int) {
	for len(f.open) > 1 && f.open[len(f.open)-1].end <= i {
		f.wall = f.wall || f.open[len(f.open)-1].border
		f.open = f.open[:len(f.open)-1]
	}
}

// visit gives out unit i, or opens it, and returns the index of the next unit to visit.
func (f *flattener) visit(i int) int {
	u := &f.k.tree.units[i]
	r := &f.open[len(f.open)-1]
	tile := f.k.tile(i, r)
	r.before = spanOf(u.Span)
	f.wall = f.wall || u.Border
	ranges := f.k.clear(tile)
	if f.k.tree.hasChildren(i) && (f.k.tree.opens[i] || len(ranges) > 1) {
		f.open = append(f.open, region{tile: tile, end: u.End, border: u.Border})
		return i + 1
	}
	f.put(i, ranges)
	f.wall = f.wall || u.Border
	return u.End
}

// put gives out the ranges of a unit that hold something. A skipped span between two of them is a border.
func (f *flattener) put(unit int, ranges []span) {
	for _, r := range ranges {
		if n := len(f.atoms); n > 0 && f.k.skipped(f.atoms[n-1].text.end, r.start) {
			f.wall = true
		}
		f.atoms = append(f.atoms, f.k.atom(unit, r, f.wall))
		f.wall = false
	}
}

func (k *packer) atom(unit int, tile span, wall bool) atom {
	a := atom{tile: tile, text: trim(k.text, tile), unit: unit, wall: wall}
	switch {
	case unit < 0:
	case k.tree.units[unit].Kind == sdk.KindHeading || k.headsTable(unit):
		a.lead = heads
	case k.tree.units[unit].Clings:
		a.lead = clings
	}
	return a
}

// tile is the bytes of unit i: from where the elder sibling's end to where the next one's begin.
func (k *packer) tile(i int, r *region) span {
	u := &k.tree.units[i]
	t := r.tile
	if r.before.end > 0 {
		t.start = max(t.start, boundary(k.text, r.before, spanOf(u.Span)))
	}
	if u.End < r.end {
		t.end = min(t.end, boundary(k.text, spanOf(u.Span), spanOf(k.tree.units[u.End].Span)))
	}
	return t
}

// children is the atoms of a unit's children within its tile.
func (k *packer) children(a atom) []atom {
	u := &k.tree.units[a.unit]
	r := region{tile: a.tile, end: u.End}
	var out []atom
	for i := a.unit + 1; i < u.End; i = k.tree.units[i].End {
		tile := k.tile(i, &r)
		r.before = spanOf(k.tree.units[i].Span)
		kid := k.atom(i, tile, false)
		if kid.text.start == kid.text.end {
			continue
		}
		out = append(out, kid)
	}
	return out
}

// clear is s without skipped spans: the parts that hold something. The result is valid until the next call.
func (k *packer) clear(s span) []span {
	i := sort.Search(len(k.borders), func(i int) bool { return k.borders[i].end > s.start })
	out := k.scratch.ranges[:0]
	for ; i < len(k.borders) && k.borders[i].start < s.end; i++ {
		out = k.nonBlank(out, span{s.start, k.borders[i].start})
		s.start = k.borders[i].end
	}
	out = k.nonBlank(out, s)
	k.scratch.ranges = out
	return out
}

func (k *packer) nonBlank(out []span, s span) []span {
	if s.start < s.end && lead(k.text, s) < s.end {
		out = append(out, s)
	}
	return out
}

// skipped tells whether a skipped span lies between two offsets.
func (k *packer) skipped(from, to int) bool {
	i := sort.Search(len(k.borders), func(i int) bool { return k.borders[i].end > from })
	return i < len(k.borders) && k.borders[i].start < to
}
