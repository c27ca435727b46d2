package answer_test

import (
	"testing"

	"github.com/cleave-project/cleave/core/answer"
	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/outline"
	"github.com/cleave-project/cleave/sdk"
	"github.com/google/go-cmp/cmp"
)

func TestUnits(t *testing.T) {
	o := &outline.Outline{Units: []outline.Unit{
		{Span: span(0, 62), Parent: -1, End: 2, Kind: sdk.KindTable, Cut: sdk.CutChildren, Border: true, Name: "Dome", Lang: "de",
			Context: []outline.Context{{Span: span(8, 32), Role: sdk.RoleHeader}}},
		{Span: span(32, 47), End: 2, Depth: 1, Kind: sdk.KindRow, Cut: sdk.CutCells, Clings: true,
			Cells: []outline.Cell{{Span: span(34, 36), Value: "12"}}, Attrs: []outline.Attr{{Key: sdk.AttrRow, Value: "1"}}},
	}}
	want := control.List[control.Unit]{
		{Kind: "table", Name: "Dome", End: 62, Cut: "children", Border: true, Lang: "de", Context: []control.UnitContext{{Start: 8, End: 32, Role: "header"}}},
		{Depth: 1, Kind: "row", Start: 32, End: 47, Cut: "cells", Clings: true, Cells: []control.Cell{{Start: 34, End: 36, Value: "12"}}, Attrs: control.Attrs{"row": "1"}},
	}
	if d := cmp.Diff(&want, answer.Units(o)); d != "" {
		t.Error(d)
	}
	if none := answer.Units(&outline.Outline{}); none == nil || *none == nil {
		t.Error("an outline without units has none, not no outline")
	}
}

func TestHold(t *testing.T) {
	d := document()
	d.Record.Title, d.Record.Titled = "Handbook", true
	d.Hold([]byte(text))
	a, err := d.Split(chunks[1:])
	if err != nil {
		t.Fatal(err)
	}
	want := "Handbook\n" + text[8:32] + text[47:62]
	if a.Chunks[0].EmbedText != want || a.Chunks[0].Text != text[47:62] {
		t.Errorf("embedding text %q, want %q", a.Chunks[0].EmbedText, want)
	}
}
