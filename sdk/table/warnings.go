package table

import (
	"fmt"

	"github.com/cleave-project/cleave/sdk"
)

// Warnings says what is odd about the table: column names given twice, and rows with more or fewer cells than there
// are columns. There is at most one warning of each code for a table, however many rows are ragged.
func (t Table) Warnings() []sdk.Warning {
	var ws []sdk.Warning
	if dup := Duplicates(t.Columns); len(dup) > 0 {
		ws = append(ws, sdk.Warning{Code: sdk.WarnDuplicateColumn, Span: t.headerSpan(),
			Message: fmt.Sprintf("%d columns share a name with another one, first %q", len(dup), dup[0])})
	}
	if w, ok := t.ragged(); ok {
		ws = append(ws, w)
	}
	return ws
}

func (t Table) headerSpan() sdk.Span {
	if len(t.Headers) > 0 {
		return t.Headers[0]
	}
	return t.Span
}

func (t Table) ragged() (sdk.Warning, bool) {
	want, n, number := len(t.Columns), 0, 0
	var w sdk.Warning
	for _, r := range t.Rows {
		if t.isHeader(r.Span) {
			continue
		}
		number++
		if r.width() == want {
			continue
		}
		if n == 0 {
			w = sdk.Warning{Code: sdk.WarnRaggedRow, Span: r.Span,
				Message: fmt.Sprintf("row %d has %d cells, the table has %d columns", number, r.width(), want)}
		}
		n++
	}
	if n > 1 {
		w.Message += fmt.Sprintf("; %d rows in all", n)
	}
	return w, n > 0 && want > 0
}

// Duplicates gives the names that stand before in names, in order, each as often as it repeats. Columns without a name
// are no duplicates of each other.
func Duplicates(names []string) []string {
	seen := make(map[string]bool, len(names))
	var dup []string
	for _, n := range names {
		if n != "" && seen[n] {
			dup = append(dup, n)
		}
		seen[n] = true
	}
	return dup
}
