package chunk

import (
	"fmt"
	"slices"
	"sort"
	"strconv"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/sdk"
)

// emit makes the chunk of g behind f. Space alone makes no chunk, be it ASCII or not (sdk.IsSpace).
func (k *packer) emit(g *group, f *frame) error {
	if sdk.Blank(k.text[g.start:g.end]) {
		return nil
	}
	c := object.Chunk{Span: g.object(), Section: k.sectionOf(g), Breadcrumb: f.breadcrumb, Unprefixed: f.unprefixed,
		Context: f.contexts, Dropped: f.dropped, Kind: string(k.kindOf(g)), Lang: k.langOf(g), Page: k.pageOf(g)}
	c.StartLine, c.EndLine = k.linesOf(g.span)
	c.Attrs = k.attrsOf(g)
	if g.cells != nil {
		c.Dropped = append(slices.Clip(c.Dropped), g.cells.dropped...)
	}
	tokens := f.counted.Count(g.start, g.end)
	if tokens > k.room {
		return fmt.Errorf("bug: chunk [%d,%d) has %d tokens for a room of %d", g.start, g.end, tokens, k.room)
	}
	c.Tokens = tokens + k.tok.Special()
	c.EmbedHash = object.Sum(EmbedText(k.o.Title, k.o.Titled, c, k.text))
	c.Words = words(&c, k.text)
	k.out = append(k.out, c)
	return nil
}

func (k *packer) linesOf(s span) (first, last int) {
	return k.lines.Range(sdk.Span{Start: s.start, End: s.end})
}

// sectionOf is the extent of the innermost section around g.
func (k *packer) sectionOf(g *group) object.Span {
	if s := of(k.tree.section, g.top); s >= 0 {
		return k.tree.units[s].Span
	}
	return object.Span{End: int64(len(k.text))}
}

// subject is the one unit that g is, or is a piece of; none where it holds several units of a section. Rows are pieces
// of their table.
func (k *packer) subject(g *group) int {
	if g.top < 0 || g.bodies > 1 && k.tree.isSection(g.top) {
		return none
	}
	if k.tree.units[g.top].Kind == sdk.KindRow {
		if t := k.tree.ancestor(g.top, sdk.KindTable); t >= 0 {
			return t
		}
	}
	return g.top
}

// kindOf is the kind of g's subject, else the one all its bodies have, else that of a section or of loose text.
func (k *packer) kindOf(g *group) sdk.Kind {
	switch s := k.subject(g); {
	case s >= 0:
		return k.tree.units[s].Kind
	case g.kind != "":
		return g.kind
	case of(k.tree.section, g.top) >= 0:
		return sdk.KindSection
	}
	return sdk.KindText
}

func (k *packer) langOf(g *group) string {
	if g.lang >= 0 {
		return k.tree.units[g.lang].Lang
	}
	return k.o.Lang
}

// pageOf is the page on which g begins.
func (k *packer) pageOf(g *group) int {
	segs := k.o.Segments
	i := sort.Search(len(segs), func(i int) bool { return int(segs[i].Text.End) > g.start })
	for ; i < len(segs) && int(segs[i].Text.Start) < g.end; i++ {
		if segs[i].Page > 0 {
			return segs[i].Page
		}
	}
	for u := g.top; u >= 0 && len(segs) == 0; u = k.tree.units[u].Parent {
		if n, err := strconv.Atoi(k.tree.units[u].Attr(sdk.AttrPage)); err == nil {
			return n
		}
	}
	return 0
}

// attrsOf is the attributes of g's subject. A piece of a table says which rows, and which columns where not all, it
// holds.
func (k *packer) attrsOf(g *group) map[string]string {
	s := k.subject(g)
	if s < 0 {
		return nil
	}
	u := &k.tree.units[s]
	var m map[string]string
	set := func(key sdk.AttrKey, value string) {
		if m == nil {
			m = make(map[string]string)
		}
		m[string(key)] = value
	}
	for _, a := range u.Attrs {
		set(a.Key, a.Value)
	}
	if u.Kind != sdk.KindTable {
		return m
	}
	delete(m, string(sdk.AttrRows))
	if key, value := k.rowsOf(g, s); value != "" {
		set(key, value)
	}
	if g.cells != nil {
		set(sdk.AttrColumns, k.columnNames(s, g))
	}
	return m
}

// rowsOf is the row numbers of a table, or of the piece of it that is g: "5-12", or one row's own.
func (k *packer) rowsOf(g *group, table int) (sdk.AttrKey, string) {
	first, last := k.rowNumber(g.first), k.rowNumber(g.last)
	if g.first == table {
		first, last = "1", k.tree.units[table].Attr(sdk.AttrRows)
		if last == "" || last == "0" {
			return "", ""
		}
	}
	switch {
	case first == "" || last == "":
		return sdk.AttrRow, first + last
	case first == last:
		return sdk.AttrRow, first
	}
	return sdk.AttrRows, first + "-" + last
}

func (k *packer) rowNumber(unit int) string {
	if unit < 0 {
		return ""
	}
	return k.tree.units[unit].Attr(sdk.AttrRow)
}
