// Package table makes the table unit that Markdown, HTML, table and office plugins share (A9). It imports the
// standard library and sdk only.
//
// A table is a unit of kind Table whose children are Rows with Cells. The header rows are the table's context with
// RoleHeader, so that the core repeats them with every piece; a row inside such a span is a header row. Rows are
// numbered from 1, header rows not counted, and the column names travel as a JSON array of strings.
package table

import (
	"strconv"
	"strings"

	"github.com/cleave-project/cleave/sdk"
)

// Table is what a plugin knows about one table. All spans count bytes of the outline's text.
type Table struct {
	Depth int
	Span  sdk.Span
	// Name is an element of the breadcrumb (a caption, a sheet). Empty: none.
	Name string
	// Headers are the spans that are repeated with every piece. In Markdown the one span includes the delimiter row.
	Headers []sdk.Span
	// Columns are the column names, one for each column; a column without a name is "".
	Columns []string
	// Keys are the 0-based numbers of the columns that say which row a piece belongs to.
	Keys []int
	Rows []Row
}

// Row is one row, a header row where a span of Table.Headers contains its span.
type Row struct {
	Span  sdk.Span
	Cells []sdk.Cell
	// Found is how many cells the source has, where the format ignores those beyond the columns. 0: len(Cells).
	Found int
}

// width is how many cells the source has.
func (r Row) width() int { return max(r.Found, len(r.Cells)) }

// FirstKey is the key of a table that says nothing of keys: its first column, where there is a second one to tell
// apart by it.
func FirstKey(columns int) []int {
	if columns < 2 {
		return nil
	}
	return []int{0}
}

// Append adds the table and its rows to units, which stay in pre-order.
func (t Table) Append(units []sdk.Unit) []sdk.Unit {
	at := len(units)
	units = append(units, sdk.Unit{Depth: t.Depth, Kind: sdk.KindTable, Span: t.Span, Name: t.Name,
		Cut: sdk.CutChildren, Context: t.context()})
	n := 0
	for _, r := range t.Rows {
		u := sdk.Unit{Depth: t.Depth + 1, Kind: sdk.KindRow, Span: r.Span, Cut: sdk.CutCells, Cells: r.Cells}
		if !t.isHeader(r.Span) {
			n++
			u.Attrs = map[sdk.AttrKey]string{sdk.AttrRow: strconv.Itoa(n)}
		}
		units = append(units, u)
	}
	units[at].Attrs = t.attrs(n)
	return units
}

func (t Table) context() []sdk.Context {
	var cs []sdk.Context
	for _, h := range t.Headers {
		cs = append(cs, sdk.Context{Span: h, Role: sdk.RoleHeader})
	}
	return cs
}

func (t Table) isHeader(s sdk.Span) bool {
	for _, h := range t.Headers {
		if h.Contains(s) {
			return true
		}
	}
	return false
}

// maxNames bounds the column names that travel with a table, in bytes. A header larger than this is no list of names,
// and its text is in the header rows.
const maxNames = 256 << 10

func (t Table) attrs(rows int) map[sdk.AttrKey]string {
	a := map[sdk.AttrKey]string{sdk.AttrRows: strconv.Itoa(rows)}
	if names := Columns(t.Columns); len(t.Columns) > 0 && len(names) <= maxNames {
		a[sdk.AttrColumns] = names
	}
	if len(t.Keys) > 0 {
		ks := make([]string, len(t.Keys))
		for i, k := range t.Keys {
			ks[i] = strconv.Itoa(k)
		}
		a[sdk.AttrKeyColumns] = strings.Join(ks, ",")
	}
	return a
}
