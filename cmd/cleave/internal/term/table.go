package term

import "strings"

// Table is rows in columns that are as wide as need be. A column whose head begins with ">" is aligned to the right; one
// whose head begins with "~" may be cut where a terminal is too narrow.
type Table struct {
	heads []Piece
	right []bool
	soft  []bool
	rows  [][]Piece
}

// NewTable gives a table with these heads.
func NewTable(heads ...string) *Table {
	t := &Table{}
	for _, h := range heads {
		h, right := strings.CutPrefix(h, ">")
		h, soft := strings.CutPrefix(h, "~")
		t.heads = append(t.heads, Piece{h, Faint})
		t.right = append(t.right, right)
		t.soft = append(t.soft, soft)
	}
	return t
}

// Row adds a row of as many cells as there are heads.
func (t *Table) Row(cells ...Piece) {
	row := make([]Piece, len(t.heads))
	for i := range row {
		if i < len(cells) {
			row[i] = Piece{Clean(cells[i].Text), cells[i].Style}
		}
	}
	t.rows = append(t.rows, row)
}

// gap is the blanks between columns.
const gap = 2

// Table prints t.
func (s *Screen) Table(t *Table) {
	widths := t.widths()
	s.fit(t, widths)
	s.row(t, t.heads, widths)
	for _, row := range t.rows {
		s.row(t, row, widths)
	}
}

func (t *Table) widths() []int {
	widths := make([]int, len(t.heads))
	for _, row := range append([][]Piece{t.heads}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], Width(cell.Text))
		}
	}
	return widths
}

// fit takes what the terminal does not have from the last column that may be cut, as long as something of it stays.
func (s *Screen) fit(t *Table, widths []int) {
	const least = 12 // columns; less says nothing
	last, total := -1, -gap
	for i, w := range widths {
		total += w + gap
		if t.soft[i] {
			last = i
		}
	}
	if over := total - s.width; s.width > 0 && over > 0 && last >= 0 {
		widths[last] = max(widths[last]-over, min(least, widths[last]))
	}
}

func (s *Screen) row(t *Table, cells []Piece, widths []int) {
	for i, cell := range cells {
		text := shorten(cell.Text, widths[i])
		room := pad(widths[i] - Width(text))
		last := i == len(cells)-1
		if t.right[i] {
			s.put(room, Plain)
		}
		s.put(text, cell.Style)
		if !t.right[i] && !last { // no blanks at the end of a line
			s.put(room, Plain)
		}
		if !last {
			s.put(pad(gap), Plain)
		}
	}
	s.newline()
}
