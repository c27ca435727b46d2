package chunk

import (
	"slices"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/sdk"
)

// group is what a chunk is made of: a range of text and the units whose bodies it holds.
type group struct {
	span
	top         int      // the innermost unit around all bodies
	first, last int      // units of the first and the last body
	kind        sdk.Kind // of all bodies, or empty
	lang        int      // the unit that names the language of all bodies, none, or mixed
	contexts    []int32  // units that bring context, nearest to the bodies, in order
	cells       *cellRun // a part of a row
	bodies      int
}

// mixed is the language of bodies that do not agree.
const mixed = -2

func (k *packer) single(s span, unit int) group {
	g := group{span: s, top: unit, first: unit, last: unit, lang: of(k.tree.lang, unit), bodies: 1}
	if unit >= 0 {
		g.kind = k.tree.units[unit].Kind
	}
	if c := of(k.tree.context, unit); c >= 0 {
		g.contexts = []int32{int32(c)}
	}
	return g
}

func (k *packer) groupOf(b *block) group {
	return k.single(span{b.start(), b.body.text.end}, b.body.unit)
}

// with is g and the next block.
func (k *packer) with(g group, b *block) group {
	unit := b.body.unit
	g.end = b.body.text.end
	g.last = unit
	g.bodies++
	if unit < 0 || k.tree.units[unit].Kind != g.kind {
		g.kind = ""
	}
	if g.lang != of(k.tree.lang, unit) {
		g.lang = mixed
	}
	if c := of(k.tree.context, unit); c >= 0 && !slices.Contains(g.contexts, int32(c)) {
		g.contexts = append(slices.Clip(g.contexts), int32(c))
	}
	if g.top >= 0 && unit >= 0 && k.tree.units[unit].Parent == g.top {
		return g
	}
	g.top = k.tree.around(g.top, unit)
	return g
}

// contextsOf is the context of g: the ordered union of its bodies' and their ancestors', outermost first, without what
// g holds itself. The result is valid until the next call.
func (k *packer) contextsOf(g *group) []object.Context {
	out := k.scratch.contexts[:0]
	clear(k.scratch.seen)
	for _, c := range g.contexts {
		chain := k.scratch.chain[:0]
		for c := int(c); c >= 0 && len(chain) < maxAround; c = of(k.tree.context, k.tree.units[c].Parent) {
			chain = append(chain, c)
		}
		k.scratch.chain = chain
		for _, unit := range slices.Backward(chain) {
			out = k.addContexts(out, g, unit)
		}
	}
	if g.cells != nil {
		for _, c := range g.cells.contexts {
			out = k.add(out, g, c)
		}
	}
	k.scratch.contexts = out
	return out
}

// addContexts appends the contexts of one unit. A part of a row has the header cells of its columns, and the table's
// header only where that is cheap.
func (k *packer) addContexts(out []object.Context, g *group, unit int) []object.Context {
	for _, c := range k.tree.units[unit].Context {
		if g.cells != nil && !g.cells.whole && c.Role == sdk.RoleHeader {
			continue
		}
		out = k.add(out, g, object.Context{Span: c.Span, Role: string(c.Role)})
	}
	return out
}

// add appends a context that g does not hold and that is not there yet. A short list is searched, a long one looked up.
func (k *packer) add(out []object.Context, g *group, c object.Context) []object.Context {
	const short = 16
	if g.contains(spanOf(c.Span)) {
		return out
	}
	if len(out) < short {
		if slices.ContainsFunc(out, func(o object.Context) bool { return o.Span == c.Span }) {
			return out
		}
		return append(out, c)
	}
	if len(k.scratch.seen) == 0 {
		for _, o := range out {
			k.scratch.seen[o.Span] = true
		}
	}
	if k.scratch.seen[c.Span] {
		return out
	}
	k.scratch.seen[c.Span] = true
	return append(out, c)
}
