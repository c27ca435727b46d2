package object

// row is a line of a page on any level: an item of a leaf, or a child of an inner page.
type row struct {
	key   Path
	entry Entry // of an item
	child Child // of a child; its page's level is level
	level int   // -1 for an item
}

func (r *row) isItem() bool { return r.level < 0 }

func (p Page) rows() []row {
	rows := make([]row, 0, p.Keys())
	for _, it := range p.Items {
		rows = append(rows, row{key: it.Path, entry: it.Entry, level: -1})
	}
	for _, c := range p.Children {
		rows = append(rows, row{key: c.Last, child: c, level: p.Level - 1})
	}
	return rows
}

// pageOfRows is the page at the given level that holds the rows.
func pageOfRows(level int, rows []row) Page {
	p := Page{Level: level}
	if level == 0 {
		p.Items = make([]Item, 0, len(rows))
	} else {
		p.Children = make([]Child, 0, len(rows))
	}
	for _, r := range rows {
		if level == 0 {
			p.Items = append(p.Items, Item{Path: r.key, Entry: r.entry})
		} else {
			p.Children = append(p.Children, r.child)
		}
	}
	return p
}
