package table_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleave-project/cleave/sdk"
	"github.com/cleave-project/cleave/sdk/table"
)

// lines makes a table of text with one row a line and cells cut at blanks; its first headers lines are the header.
func lines(text string, headers int) table.Table {
	t := table.Table{Span: sdk.Span{Start: 0, End: len(text)}}
	at := 0
	for i, l := range strings.Split(text, "\n") {
		r := table.Row{Span: sdk.Span{Start: at, End: at + len(l)}}
		c := at
		for _, f := range strings.Split(l, " ") {
			r.Cells = append(r.Cells, sdk.Cell{Span: sdk.Span{Start: c, End: c + len(f)}, Value: f})
			c += len(f) + 1
		}
		if i < headers {
			t.Headers = append(t.Headers, r.Span)
			t.Columns = strings.Split(l, " ")
		}
		t.Rows = append(t.Rows, r)
		at += len(l) + 1
	}
	return t
}

// A9: the header is the table's context, rows know their number and the table its columns and keys.
func TestAppend(t *testing.T) {
	tab := lines("a b\n1 2\n3 4", 1)
	tab.Depth, tab.Keys = 2, table.FirstKey(2)
	got := tab.Append([]sdk.Unit{{Kind: sdk.KindSection}})
	want := []sdk.Unit{
		{Kind: sdk.KindSection},
		{Depth: 2, Kind: sdk.KindTable, Span: sdk.Span{Start: 0, End: 11}, Cut: sdk.CutChildren,
			Context: []sdk.Context{{Span: sdk.Span{Start: 0, End: 3}, Role: sdk.RoleHeader}},
			Attrs:   map[sdk.AttrKey]string{sdk.AttrRows: "2", sdk.AttrColumns: `["a","b"]`, sdk.AttrKeyColumns: "0"}},
		{Depth: 3, Kind: sdk.KindRow, Span: tab.Rows[0].Span, Cut: sdk.CutCells, Cells: tab.Rows[0].Cells},
		{Depth: 3, Kind: sdk.KindRow, Span: tab.Rows[1].Span, Cut: sdk.CutCells, Cells: tab.Rows[1].Cells,
			Attrs: map[sdk.AttrKey]string{sdk.AttrRow: "1"}},
		{Depth: 3, Kind: sdk.KindRow, Span: tab.Rows[2].Span, Cut: sdk.CutCells, Cells: tab.Rows[2].Cells,
			Attrs: map[sdk.AttrKey]string{sdk.AttrRow: "2"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestColumns(t *testing.T) {
	for _, names := range [][]string{nil, {""}, {"a<b>&", "\"q\"", "ä\n"}} {
		s := table.Columns(names)
		got, err := table.ParseColumns(s)
		if err != nil || len(got) != len(names) || len(names) > 0 && !cmp.Equal(got, names) {
			t.Errorf("Columns(%q) = %s reads back as %q, %v", names, s, got, err)
		}
	}
	if got := table.Columns([]string{"a<b>&"}); got != `["a<b>&"]` {
		t.Errorf("Columns escapes more than JSON asks for: %s", got)
	}
}

func TestMergeHeaders(t *testing.T) {
	rows := [][]string{{"Site", "Tonnes", "Tonnes", ""}, {"Site", "Jan", "Feb", "Checked", "Extra"}}
	want := []string{"Site", "Tonnes / Jan", "Tonnes / Feb", "Checked", "Extra"}
	if d := cmp.Diff(want, table.MergeHeaders(rows)); d != "" {
		t.Error(d)
	}
}

// A9: ragged rows and duplicate header names are reported, once for a table.
func TestWarnings(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"clean", "a b\n1 2", nil},
		{"duplicate", "a a b\n1 2 3", []string{"duplicate_column [0,5) 1 columns share a name with another one, first \"a\""}},
		{"ragged", "a b\n1\n1 2\n1 2 3", []string{"ragged_row [4,5) row 1 has 1 cells, the table has 2 columns; 2 rows in all"}},
		{"unnamed columns", " \n1 2", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, w := range lines(tt.text, 1).Warnings() {
				got = append(got, show(w))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// A format that ignores cells beyond the columns says how many it found.
func TestFoundCells(t *testing.T) {
	tab := lines("a b\n1 2", 1)
	tab.Rows[1].Found = 3
	if ws := tab.Warnings(); len(ws) != 1 || ws[0].Code != sdk.WarnRaggedRow {
		t.Errorf("a row of 3 cells under 2 columns: %v", ws)
	}
}
