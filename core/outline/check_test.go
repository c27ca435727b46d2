package outline_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/outline"
	"github.com/cleave-project/cleave/sdk"
)

const text = "# Tür\n\nOne two.\n\n| a | b |\n"

func unit(depth, start, end int, kind sdk.Kind) sdk.Unit {
	return sdk.Unit{Depth: depth, Kind: kind, Span: sdk.Span{Start: start, End: end}, Cut: sdk.CutSentences}
}

// good is an outline of text that holds every rule.
func good() sdk.Outline {
	section := unit(0, 0, 27, sdk.KindSection)
	section.Name, section.Cut = "Tür", sdk.CutChildren
	row := unit(2, 18, 27, sdk.KindRow)
	row.Cut = sdk.CutCells
	row.Cells = []sdk.Cell{{Span: sdk.Span{Start: 20, End: 21}, Value: "a"}, {Span: sdk.Span{Start: 24, End: 25}, Value: "b"}}
	table := unit(1, 18, 27, sdk.KindTable)
	table.Cut = sdk.CutChildren
	table.Context = []sdk.Context{{Span: row.Span, Role: sdk.RoleHeader}}
	table.Attrs = map[sdk.AttrKey]string{sdk.AttrColumns: `["a","b"]`, sdk.AttrRows: "0", sdk.AttrKeyColumns: "0"}
	return sdk.Outline{
		Title: "Tür", Language: "de", Meta: map[string]string{"author": "x"},
		Units:    []sdk.Unit{section, unit(1, 0, 6, sdk.KindHeading), unit(1, 8, 16, sdk.KindParagraph), table, row},
		Skips:    []sdk.Skip{{Span: sdk.Span{Start: 16, End: 17}, Reason: sdk.SkipMarkup}},
		Warnings: []sdk.Warning{{Code: sdk.WarnSyntaxError, Message: "odd\nthing", Span: sdk.Span{Start: 1, End: 2}}},
	}
}

func check(raw string, base int, o sdk.Outline) (*outline.Outline, error) {
	return outline.Check(outline.Input{Raw: []byte(raw), Base: base, Takes: sdk.InputText, Lang: "en"}, o)
}

func TestCheckShiftsAndDerives(t *testing.T) {
	got, err := check("\uFEFF"+text, 3, good())
	if err != nil {
		t.Fatal(err)
	}
	if got.Coords != object.CoordsSource || got.Titled || got.Lang != "de" || len(got.Text) != len(text)+3 {
		t.Errorf("got %+v", got)
	}
	wantSkips := []object.Skip{{Span: object.Span{End: 3}, Reason: "bom"}, {Span: object.Span{Start: 19, End: 20}, Reason: "markup"}}
	if d := cmp.Diff(wantSkips, got.Skips); d != "" {
		t.Error(d)
	}
	wantWarnings := []object.Warning{{Code: "syntax_error", Message: "odd thing", Span: object.Span{Start: 4, End: 5}}}
	if d := cmp.Diff(wantWarnings, got.Warnings); d != "" {
		t.Error(d)
	}
	type place struct{ start, parent, end int }
	var places []place
	for _, u := range got.Units {
		places = append(places, place{int(u.Span.Start), u.Parent, u.End})
	}
	want := []place{{3, -1, 5}, {3, 0, 2}, {11, 0, 3}, {21, 0, 5}, {21, 3, 5}}
	if d := cmp.Diff(want, places, cmp.AllowUnexported(place{})); d != "" {
		t.Error(d)
	}
	if got.Units[4].Cells[1].Span.Start != 27 || got.Units[3].Context[0].Span.Start != 21 {
		t.Errorf("cells and contexts are not shifted: %+v", got.Units[3:])
	}
}

// Nothing is skipped of a document that is blank but for its mark, which is no text to pack either.
func TestBlankDocumentSkipsNothing(t *testing.T) {
	for _, blank := range []string{"", " \n\t\n", "\r\n"} {
		got, err := check("\uFEFF"+blank, 3, sdk.Outline{})
		if err != nil {
			t.Fatal(err)
		}
		want := []object.Skip{{Span: object.Span{End: 3}, Reason: "bom"}}
		if d := cmp.Diff(want, got.Borders()); len(got.Skips) > 0 || d != "" {
			t.Errorf("%q: skips %v, borders (-want +got):\n%s", blank, got.Skips, d)
		}
	}
}

func TestTitleIsEmbeddedOnlyIfItIsNotTheFirstHeading(t *testing.T) {
	o := good()
	o.Title = "Another  title\n"
	got, err := check(text, 0, o)
	if err != nil || !got.Titled || got.Title != "Another title" {
		t.Errorf("got %q, %v, %v", got.Title, got.Titled, err)
	}
}

func TestExtractedTextHasItsOwnCoordinates(t *testing.T) {
	o := sdk.Outline{Text: []byte("One two."), Units: []sdk.Unit{unit(0, 0, 8, sdk.KindParagraph)},
		Segments: []sdk.Segment{{Text: sdk.Span{End: 8}, Source: sdk.Span{Start: 8, End: 16}, Page: 2}},
		Skips:    []sdk.Skip{{Span: sdk.Span{Start: 18, End: 27}, Reason: sdk.SkipMarkup}}}
	got, err := check(text, 0, o)
	if err != nil {
		t.Fatal(err)
	}
	if got.Coords != object.CoordsExtracted || string(got.Text) != "One two." || got.Borders() != nil || len(got.Skips) != 1 {
		t.Errorf("got %+v", got)
	}
	o.Segments[0].Source = sdk.Span{} // no byte addresses: skips count the extracted text
	if _, err := check(text, 0, o); err == nil {
		t.Error("a skip behind the extracted text was accepted")
	}
	o.Skips[0].Span = sdk.Span{Start: 4, End: 8}
	if got, err := check(text, 0, o); err != nil || len(got.Borders()) != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestNamesAreClipped(t *testing.T) {
	o := good()
	o.Units[0].Name = strings.Repeat("ü", 5000)
	got, err := check(text, 0, o)
	if err != nil || len(got.Units[0].Name) > outline.MaxName || !strings.HasSuffix(got.Units[0].Name, "ü…") {
		t.Errorf("%d bytes, %v", len(got.Units[0].Name), err)
	}
}

func TestEveryRuleIsHeld(t *testing.T) {
	tests := []struct {
		rule  outline.Rule
		unit  int
		spoil func(*sdk.Outline)
	}{
		{outline.RuleText, -1, func(o *sdk.Outline) { o.Text = []byte("a\xff") }},
		{outline.RuleKind, 2, func(o *sdk.Outline) { o.Units[2].Kind = "verse" }},
		{outline.RuleKind, 2, func(o *sdk.Outline) { o.Units[2].Cut = "" }},
		{outline.RuleKind, 3, func(o *sdk.Outline) { o.Units[3].Context[0].Role = "x" }},
		{outline.RuleKind, 3, func(o *sdk.Outline) { o.Units[3].Attrs["x"] = "y" }},
		{outline.RuleKind, -1, func(o *sdk.Outline) { o.Skips[0].Reason = "dull" }},
		{outline.RuleKind, -1, func(o *sdk.Outline) { o.Skips[0].Reason = sdk.SkipBOM }},
		{outline.RuleKind, -1, func(o *sdk.Outline) { o.Warnings[0].Code = "hm" }},
		{outline.RuleDepth, 0, func(o *sdk.Outline) { o.Units[0].Depth = 1 }},
		{outline.RuleDepth, 2, func(o *sdk.Outline) { o.Units[2].Depth = 3 }},
		{outline.RuleDepth, 2, func(o *sdk.Outline) { o.Units[2].Depth = -1 }},
		{outline.RuleRange, 0, func(o *sdk.Outline) { o.Units[0].Span.End = 29 }},
		{outline.RuleRange, 2, func(o *sdk.Outline) { o.Units[2].Span.Start = -1 }},
		{outline.RuleRange, 2, func(o *sdk.Outline) { o.Units[2].Span = sdk.Span{Start: 9, End: 8} }},
		{outline.RuleRange, 3, func(o *sdk.Outline) { o.Units[3].Context[0].Span.End = 99 }},
		{outline.RuleRange, -1, func(o *sdk.Outline) { o.Skips[0].Span.End = 99 }},
		{outline.RuleRange, -1, func(o *sdk.Outline) { o.Warnings[0].Span.End = 99 }},
		{outline.RuleEmpty, 2, func(o *sdk.Outline) { o.Units[2].Span.End = 8 }},
		{outline.RuleEmpty, 3, func(o *sdk.Outline) { o.Units[3].Context[0].Span.End = 18 }},
		{outline.RuleEmpty, -1, func(o *sdk.Outline) { o.Skips[0].Span.End = 16 }},
		{outline.RuleBoundary, 1, func(o *sdk.Outline) { o.Units[1].Span.End = 4 }},
		{outline.RuleBoundary, -1, func(o *sdk.Outline) { o.Skips[0].Span = sdk.Span{Start: 4, End: 5} }},
		{outline.RuleNesting, 4, func(o *sdk.Outline) { o.Units[4].Span.Start = 17 }},
		{outline.RuleNesting, 4, func(o *sdk.Outline) { o.Units[4].Cells[0].Span = sdk.Span{Start: 8, End: 9} }},
		{outline.RuleOrder, 2, func(o *sdk.Outline) { o.Units[2].Span.Start = 5 }},
		{outline.RuleOrder, 4, func(o *sdk.Outline) { o.Units[4].Cells[1].Span.Start = 20 }},
		{outline.RuleOrder, -1, func(o *sdk.Outline) { o.Skips = append(o.Skips, o.Skips[0]) }},
		{outline.RuleName, 0, func(o *sdk.Outline) { o.Units[0].Name = " x" }},
		{outline.RuleName, 0, func(o *sdk.Outline) { o.Units[0].Name = "x\ny" }},
		{outline.RuleName, 0, func(o *sdk.Outline) { o.Units[0].Name = "x\xff" }},
		{outline.RuleName, 2, func(o *sdk.Outline) { o.Units[2].Lang = "a b" }},
		{outline.RuleAttribute, 3, func(o *sdk.Outline) { o.Units[3].Attrs[sdk.AttrColumns] = "a,b" }},
		{outline.RuleAttribute, 3, func(o *sdk.Outline) { o.Units[3].Attrs[sdk.AttrKeyColumns] = "-1" }},
		{outline.RuleAttribute, 3, func(o *sdk.Outline) { o.Units[3].Attrs[sdk.AttrRow] = "0" }},
		{outline.RuleAttribute, -1, func(o *sdk.Outline) { o.Meta[""] = "x" }},
		{outline.RuleSegment, -1, func(o *sdk.Outline) {
			o.Segments = []sdk.Segment{{Text: sdk.Span{End: 1}, Source: sdk.Span{Start: 1, End: 2}}}
		}},
		{outline.RuleOrder, -1, func(o *sdk.Outline) {
			o.Segments = []sdk.Segment{{Text: sdk.Span{End: 2}}, {Text: sdk.Span{Start: 1, End: 3}}}
		}},
		{outline.RuleRange, -1, func(o *sdk.Outline) {
			o.Segments = []sdk.Segment{{Text: sdk.Span{End: 2}, Source: sdk.Span{Start: 1, End: 99}}}
		}},
	}
	for _, tt := range tests {
		o := good()
		tt.spoil(&o)
		_, err := check(text, 0, o)
		var broken *outline.Error
		if !errors.As(err, &broken) || broken.Rule != tt.rule || broken.Unit != tt.unit {
			t.Errorf("got %v, want rule %s at unit %d", err, tt.rule, tt.unit)
		}
	}
}

func TestEncodingRoundTrips(t *testing.T) {
	for _, o := range []sdk.Outline{good(), {}, {Text: []byte("x"), Units: []sdk.Unit{unit(0, 0, 1, sdk.KindText)}}} {
		want, err := check(text, 0, o)
		if err != nil {
			t.Fatal(err)
		}
		data, err := outline.Encode(want)
		if err != nil {
			t.Fatal(err)
		}
		if o.Text == nil && strings.Contains(string(data), "One two") {
			t.Error("the source text is stored again")
		}
		got, err := outline.Decode(data, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(outline.Unit{}, outline.Cell{}, outline.Context{}, outline.Attr{})); d != "" {
			t.Error(d)
		}
		again, err := outline.Encode(got)
		if err != nil || string(again) != string(data) {
			t.Errorf("encoding is not deterministic: %v", err)
		}
		if _, err := outline.Decode(data, []byte(text+"more")); o.Text == nil && err == nil {
			t.Error("an outline of another text was decoded")
		}
		if _, err := outline.Decode(append([]byte("clo\x09"), data[4:]...), []byte(text)); err == nil {
			t.Error("another version was decoded")
		}
	}
}
