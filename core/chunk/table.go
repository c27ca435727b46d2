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

// row is a row that is cut between its cells.
type row struct {
	k      *packer
	unit   int
	cells  []outline.Cell
	bounds []int // where each cell's bytes begin, delimiters included, and the end of the last one
	table  *columns
	header bool // it is a header row, and has none to repeat
	whole  bool // the whole header is repeated
}

// cheap is the part of the room that a whole header may take in pieces of a row: every piece of a table repeats its
// header (A9), but one that is large leaves it at the cells of its columns.
const cheap = 6

// cutRow cuts a row by columns: each piece has a run of cells, the header cells of its columns and the row's key cells.
func (k *packer) cutRow(leads []atom, a *atom) error {
	if len(leads) > 0 {
		if err := k.plain(leads); err != nil {
			return err
		}
	}
	table := k.tree.ancestor(a.unit, sdk.KindTable)
	r := &row{k: k, unit: a.unit, cells: k.tree.units[a.unit].Cells, table: k.columnsOf(table),
		header: table >= 0 && k.isHeaderRow(table, a.unit)}
	r.whole = !r.header && r.table.tokens > 0 && r.table.tokens <= k.room/cheap
	r.bounds = r.split(a.text)
	for lo := 0; lo < len(r.cells); {
		if err := k.ctx.Err(); err != nil {
			return err
		}
		hi, err := r.put(lo)
		if err != nil {
			return err
		}
		lo = hi
	}
	return nil
}

// split finds where the bytes of each cell begin. Delimiters stay with the cell before, an opening quote with its own.
func (r *row) split(all span) []int {
	bounds := []int{all.start}
	for i := 1; i < len(r.cells); i++ {
		gap := span{int(r.cells[i-1].Span.End), int(r.cells[i].Span.Start)}
		at := gap.end
		if at > gap.start && bytes.IndexByte([]byte(`"'`), r.k.text[at-1]) >= 0 {
			at--
		}
		bounds = append(bounds, max(bounds[i-1], whole(r.k.text, at, gap.start-1)))
	}
	return append(bounds, all.end)
}

// put gives out one piece that begins with cell lo, as many cells as fit, and returns the next cell. Key cells make no
// piece of their own: they go with the cell after them, which may be cut.
func (r *row) put(lo int) (int, error) {
	for hi := r.guess(lo); hi > lo; hi-- {
		g, ok := r.group(lo, hi)
		if !ok {
			return hi, nil // nothing but white space
		}
		f := r.k.frame(&g, 0)
		if !r.k.fits(f, g.span, r.k.room) {
			continue
		}
		if !r.header && hi < len(r.cells) && r.onlyKeys(lo, hi) {
			return hi + 1, r.cutCells(lo, hi+1)
		}
		return hi, r.k.emit(&g, r.k.rich(&g, f))
	}
	return lo + 1, r.cutCells(lo, lo+1)
}

func (r *row) onlyKeys(lo, hi int) bool {
	for c := lo; c < hi; c++ {
		if !slices.Contains(r.table.keys, c) {
			return false
		}
	}
	return true
}

// rich is g's frame with as much context as there is room for; poor has only what must be.
func (k *packer) rich(g *group, poor *frame) *frame {
	if f := k.frame(g, k.room/share); k.fits(f, g.span, k.room) {
		return f
	}
	return k.frame(g, 0)
}

// guess is how far a piece that begins with cell lo may reach at most, by the sum of what its cells have. The sum is
// nearly always at least the true count; where it is not, the piece is a cell shorter than it might be.
func (r *row) guess(lo int) int {
	total := r.k.prefixOf(r.unit).tokens
	if !r.header {
		if r.whole {
			total += r.table.tokens
		}
		heads, keys, _ := r.keyCells(lo, len(r.cells))
		for _, c := range append(heads, keys...) {
			total += r.count(c.Span) + 1
		}
	}
	for i := lo; i < len(r.cells); i++ {
		total += r.k.whole.Count(r.bounds[i], r.bounds[i+1])
		if !r.header {
			for _, h := range r.table.headers {
				if i < len(h) {
					total += r.count(h[i].Span) + 1
				}
			}
		}
		if total > r.k.room && i > lo {
			return i
		}
	}
	return len(r.cells)
}

func (r *row) count(s object.Span) int { return r.k.whole.Count(int(s.Start), int(s.End)) }

// group is the piece of cells lo to hi; false where it has nothing but white space.
func (r *row) group(lo, hi int) (group, bool) {
	s := trim(r.k.text, span{r.bounds[lo], r.bounds[hi]})
	g := r.k.single(s, r.unit)
	g.cells = &cellRun{lo: lo, hi: hi, bounds: r.bounds, whole: r.whole}
	if !r.header {
		g.cells.contexts, g.cells.dropped = r.repeated(lo, hi)
	}
	return g, s.start < s.end
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

// cutCells cuts the last of cells lo to hi, which is too large for one chunk, by sentences and words, and repeats its
// header and key cells with each piece; cells before it are in the first one. Where they leave less than a quarter of
// the room, key cells are left out.
func (r *row) cutCells(lo, hi int) error {
	g, _ := r.group(lo, hi)
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
	w := &window{k: r.k, area: g.span, base: g, ways: proseText}
	return w.run(nil)
}
