package chunk

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/outline"
	"github.com/cleave-project/cleave/sdk"
)

// columns is what rows of one table need to be cut at their cells.
type columns struct {
	table   int // none, or not yet looked at: of is zero
	of      []outline.Unit
	headers [][]outline.Cell // the cells of each header row
	keys    []int            // key columns
	names   []string
	tokens  int // of the whole header
}

// cellRun is a part of a row: cells lo to hi, and the cells that are repeated with it.
type cellRun struct {
	lo, hi   int
	bounds   []int // of the row's cells
	whole    bool  // the table's whole header is repeated too
	contexts []object.Context
	dropped  []object.Context // key cells that found no room
}

// isHeaderRow tells whether a row lies in one of its table's headers.
func (k *packer) isHeaderRow(table, row int) bool {
	s := spanOf(k.tree.units[row].Span)
	return slices.ContainsFunc(k.tree.units[table].Context, func(c outline.Context) bool {
		return c.Role == sdk.RoleHeader && spanOf(c.Span).contains(s)
	})
}

// headsTable tells whether a unit is a header row, which heads the rows that follow.
func (k *packer) headsTable(unit int) bool {
	u := &k.tree.units[unit]
	return u.Kind == sdk.KindRow && u.Parent >= 0 && k.isHeaderRow(u.Parent, unit)
}

// columnsOf reads a table's header rows and key columns.
func (k *packer) columnsOf(table int) *columns {
	t := &k.table
	if t.of != nil && t.table == table {
		return t
	}
	*t = columns{table: table, of: k.tree.units}
	if table < 0 {
		return t
	}
	u := &k.tree.units[table]
	t.keys, _ = outline.KeyColumns(u.Attr(sdk.AttrKeyColumns))
	_ = json.Unmarshal([]byte(u.Attr(sdk.AttrColumns)), &t.names) // its form was checked with the outline; none is no names
	for _, c := range u.Context {
		if c.Role == sdk.RoleHeader {
			t.tokens += k.whole.Count(int(c.Span.Start), int(c.Span.End)) + 1
		}
	}
	for i := table + 1; i < u.End; i = k.tree.units[i].End {
		if !k.isHeaderRow(table, i) {
			break // header rows come first
		}
		t.headers = append(t.headers, k.tree.units[i].Cells)
	}
	return t
}

// columnNames is the names of the columns of which g holds a part, as a JSON array.
func (k *packer) columnNames(table int, g *group) string {
	names := []string{}
	for c, name := range k.columnsOf(table).names {
		b := g.cells.bounds
		if c >= g.cells.lo && c < g.cells.hi && b[c] < g.end && g.start < b[c+1] {
			names = append(names, name)
		}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(names); err != nil {
		panic("bug: strings that are no JSON: " + err.Error())
	}
	return string(bytes.TrimSpace(out.Bytes()))
}

// repeated is the header cells of the key columns and of columns lo to hi, and the key cells; and those left out.
func (r *row) repeated(lo, hi int) (kept, dropped []object.Context) {
	heads, keys, dropped := r.keyCells(lo, hi)
	for c := lo; c < hi; c++ {
		heads = r.headerCells(heads, c)
	}
	return append(heads, keys...), dropped
}

// keyCells is the row's key cells outside of columns lo to hi, and their header cells. They may take a third of the
// room; from the first on that takes more, they are left out.
func (r *row) keyCells(lo, hi int) (heads, keys, dropped []object.Context) {
	room := r.k.room / share
	for _, c := range r.table.keys {
		if c >= len(r.cells) || c >= lo && c < hi || r.cells[c].Span.Start == r.cells[c].Span.End {
			continue
		}
		room -= r.count(r.cells[c].Span) + 1
		var own []object.Context
		if !r.whole {
			own = r.headerCells(nil, c)
		}
		for _, h := range own {
			room -= r.count(h.Span) + 1
		}
		key := object.Context{Span: r.cells[c].Span, Role: string(sdk.RoleKey)}
		if room < 0 {
			dropped = append(dropped, key)
			continue
		}
		heads = append(heads, own...)
		keys = append(keys, key)
	}
	return heads, keys, dropped
}

// headerCells appends the header cells of a column that hold something.
func (r *row) headerCells(dst []object.Context, column int) []object.Context {
	for _, h := range r.table.headers {
		if column < len(h) && h[column].Span.Start < h[column].Span.End {
			dst = append(dst, object.Context{Span: h[column].Span, Role: string(sdk.RoleHeader)})
		}
	}
	return dst
}

// cutCells cuts the last of cells lo to hi, which is too large for one chunk, by sentences and words; what leads to them
// and cells before it are in the first piece.
func (r *row) cutCells(lo, hi int, leads []atom) error { return r.window(lo, hi).run(leads) }

// window is the text of cells lo to hi, of which the last is to be cut. Its header and key cells are repeated with each
// piece. Where they leave less than a quarter of the room, key cells are left out.
func (r *row) window(lo, hi int) *window {
	g := r.group(lo, hi)
	if !r.header {
		heads, keys, dropped := r.keyCells(hi-1, hi)
		if !r.whole {
			for c := lo; c < hi-1; c++ {
				heads = r.headerCells(heads, c)
			}
		}
		g.cells.contexts, g.cells.dropped = append(r.headerCells(heads, hi-1), keys...), dropped
		// All of it is repeated in a piece that holds no key.
		behind := g
		behind.span = span{g.end, g.end}
		if f := r.k.frame(&behind, 0); f.tokens > r.k.room-r.k.room/4 {
			g.cells.contexts, g.cells.dropped = r.headerCells(nil, hi-1), append(keys, dropped...)
			g.cells.whole = false
		}
	}
	return &window{k: r.k, area: g.span, base: g, ways: proseText}
}
