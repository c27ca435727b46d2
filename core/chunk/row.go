package chunk

import (
	"bytes"
	"slices"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/outline"
	"github.com/cleave-project/cleave/sdk"
)

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
