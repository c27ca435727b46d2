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
	start  int // of its text
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
// The first piece begins with the leads if that is well.
func (k *packer) cutRow(leads []atom, a *atom) error {
	r, lo := k.rowOf(a), 0
	if len(leads) > 0 {
		hi, err := r.begin(leads)
		if err != nil {
			return err
		}
		lo = hi
	}
	for lo < len(r.cells) {
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

func (k *packer) rowOf(a *atom) *row {
	table := k.tree.ancestor(a.unit, sdk.KindTable)
	r := &row{k: k, unit: a.unit, start: a.text.start, cells: k.tree.units[a.unit].Cells, table: k.columnsOf(table),
		header: table >= 0 && k.isHeaderRow(table, a.unit)}
	r.whole = !r.header && r.table.tokens > 0 && r.table.tokens <= k.room/cheap
	r.bounds = r.split(a.text)
	return r
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

// rowPiece is a piece of a row: whole cells and their frame, or cells of which the last is to be cut.
type rowPiece struct {
	group group
	frame *frame // none: not whole
	hi    int    // the next cell
}

// put gives out one piece that begins with cell lo, as many cells as fit, and returns the next cell.
func (r *row) put(lo int) (int, error) {
	p := r.reach(lo, r.guess(lo), r.poor)
	switch {
	case p.frame == nil:
		return p.hi, r.cutCells(lo, p.hi, nil)
	case p.group.start == p.group.end:
		return p.hi, nil // nothing but white space
	}
	return p.hi, r.k.emit(&p.group, r.k.rich(&p.group, p.frame))
}

// poor is a frame with only what must be.
func (r *row) poor(g *group) *frame { return r.k.frame(g, 0) }

// reach is the piece from cell lo up to at most cell hi. Key cells make no piece of their own: they go with the cell
// after them, which may be cut.
func (r *row) reach(lo, hi int, with func(*group) *frame) rowPiece {
	for ; hi > lo; hi-- {
		g := r.group(lo, hi)
		f := with(&g)
		if !r.k.fits(f, g.span, r.k.room) {
			continue
		}
		if hi < len(r.cells) && g.start < g.end && r.idle(lo, hi) {
			return rowPiece{hi: hi + 1}
		}
		return rowPiece{g, f, hi}
	}
	return rowPiece{hi: lo + 1}
}

// idle holds for cells that say nothing alone: keys, and behind a lead cells without text.
func (r *row) idle(lo, hi int) bool {
	s := span{max(r.bounds[lo], r.start), r.bounds[hi]}
	return !r.header && r.onlyKeys(lo, hi) || trim(r.k.text, s).start == s.end
}

// begin gives out the leads, with the row's first piece where that is well, and returns the next cell.
func (r *row) begin(leads []atom) (int, error) {
	p, ok := r.first(leads[0].text.start)
	switch {
	case !ok:
		return 0, r.k.plain(leads)
	case p.frame == nil:
		return p.hi, r.cutCells(0, p.hi, leads)
	}
	return p.hi, r.k.emit(&p.group, r.k.rich(&p.group, p.frame))
}

// first is the row's first piece if it begins at start, with what leads to it. There is none where that would cut a cell
// that fits without.
func (r *row) first(start int) (rowPiece, bool) {
	most := r.guess(0)
	for most < len(r.cells) && r.idle(0, most) {
		most++
	}
	r.bounds[0] = start
	for _, with := range []func(*group) *frame{r.poor, r.k.bare} {
		if p := r.reach(0, most, with); p.frame != nil {
			r.bounds[0] = r.start
			return p, true
		}
	}
	r.bounds[0] = r.start
	p := r.reach(0, most, r.poor)
	if p.frame != nil {
		return p, false
	}
	_, ok := r.window(0, p.hi).first(start)
	return p, ok
}

func (r *row) onlyKeys(lo, hi int) bool {
	for c := lo; c < hi; c++ {
		if !slices.Contains(r.table.keys, c) {
			return false
		}
	}
	return true
}

// rich is g's frame with as much context as there is room for; poor, which fits, has only what must be.
func (k *packer) rich(g *group, poor *frame) *frame {
	if f := k.frame(g, k.room/share); k.fits(f, g.span, k.room) {
		return f
	}
	return poor
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

// group is the piece of cells lo to hi; it is empty where they have nothing but white space.
func (r *row) group(lo, hi int) group {
	s := trim(r.k.text, span{r.bounds[lo], r.bounds[hi]})
	g := r.k.single(s, r.unit)
	g.cells = &cellRun{lo: lo, hi: hi, bounds: r.bounds, whole: r.whole}
	if !r.header {
		g.cells.contexts, g.cells.dropped = r.repeated(lo, hi)
	}
	return g
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
