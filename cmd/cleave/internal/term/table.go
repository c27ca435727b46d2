package term

// Table is rows in columns that are as wide as need be. A column whose head begins with ">" is aligned to the right.
type Table struct {
	heads []Piece
	right []bool
	rows  [][]Piece
}

// NewTable gives a table with these heads.
func NewTable(heads ...string) *Table {
	t := &Table{}
	for _, h := range heads {
		right := h != "" && h[0] == '>'
		if right {
			h = h[1:]
		}
		t.heads = append(t.heads, Piece{h, Faint})
		t.right = append(t.right, right)
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

// Table prints t. On a terminal that is too narrow the widest column is cut.
func (s *Screen) Table(t *Table) {
	widths := t.widths()
	s.fit(widths)
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

// fit takes from the widest column what the terminal does not have, as long as something of it stays.
func (s *Screen) fit(widths []int) {
	const least = 12 // columns; less says nothing
	widest, total := 0, -gap
	for i, w := range widths {
		total += w + gap
		if w > widths[widest] {
			widest = i
		}
	}
	if over := total - s.width; s.width > 0 && over > 0 {
		widths[widest] = max(widths[widest]-over, min(least, widths[widest]))
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
