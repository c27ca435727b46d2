package chunk_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/token"
	"github.com/cleave-project/cleave/sdk"
)

// ledger is a file with an import and a class of two methods, as a splitter for code would describe it.
func ledger() ([]byte, sdk.Outline) {
	text := "import json\nclass Ledger :\n    def add ( self ) :\n        one two three\n        four five six\n    def total ( self ) :\n        seven eight\n"
	at := func(s string) sdk.Span {
		i := strings.Index(text, s)
		return sdk.Span{Start: i, End: i + len(s)}
	}
	span := func(from, to string) sdk.Span { return sdk.Span{Start: at(from).Start, End: at(to).End} }
	imports := sdk.Context{Span: at("import json"), Role: sdk.RoleImport}
	return []byte(text), sdk.Outline{Language: "python", Units: []sdk.Unit{
		{Kind: sdk.KindImport, Cut: sdk.CutLines, Span: at("import json")},
		{Kind: sdk.KindClass, Name: "Ledger", Cut: sdk.CutChildren, Span: span("class", "eight"), Context: []sdk.Context{{Span: at("class Ledger :"), Role: sdk.RoleSignature}}},
		{Depth: 1, Kind: sdk.KindMethod, Name: "add", Cut: sdk.CutLines, Span: span("def add", "six"), Context: []sdk.Context{imports, {Span: at("def add ( self ) :"), Role: sdk.RoleSignature}}},
		{Depth: 1, Kind: sdk.KindMethod, Name: "total", Cut: sdk.CutLines, Span: span("def total", "eight")},
	}}
}

func TestPiecesRepeatTheirContext(t *testing.T) {
	tests := []struct {
		name string
		size int
		want []string
	}{
		{"a class that fits is whole", 60, []string{"import json",
			"Ledger\nclass Ledger :\n    def add ( self ) :\n        one two three\n        four five six\n    def total ( self ) :\n        seven eight"}},
		{"methods repeat class and imports", 22, []string{"import json",
			"Ledger > add\nimport json\nclass Ledger :\n    def add ( self ) :\n        one two three\n        four five six",
			"Ledger > total\nclass Ledger :\n    def total ( self ) :\n        seven eight"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			raw, so := ledger()
			o := checked(t, raw, so)
			got, err := chunk.Pack(context.Background(), o, structural(tt.size, 0), token.Words{})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, embedded(o, got.Chunks)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestContextIsDroppedFromTheLeastImportantEnd(t *testing.T) {
	body := code("def f ( x ) :\n    a b c d e\n    f g h i j\n    k l m n o")
	body.unit.Kind, body.unit.Name = sdk.KindFunction, "f"
	body.context = []sdk.Role{sdk.RoleSignature}
	lead := par("a lead of seven words it is")
	for _, tt := range []struct {
		size int
		want []string
		kept []string // roles in the last chunk
	}{
		{21, []string{"f\ndef f ( x ) :\n    a b c d e\n    f g h i j", "f\ndef f ( x ) :\n    k l m n o"}, []string{"signature"}},
		{18, []string{"f\ndef f ( x ) :\n    a b c d e\n    f g h i j", "f\n    k l m n o"}, nil},
	} {
		w := write(lead, body)
		o, got := packed(t, structural(tt.size, 0), w)
		if d := cmp.Diff(tt.want, embedded(o, got[1:])); d != "" {
			t.Error(d)
		}
		last := got[len(got)-1]
		if len(last.Context) != len(tt.kept) || len(last.Context)+len(last.Dropped) != 1 {
			t.Errorf("context %v, dropped %v", last.Context, last.Dropped)
		}
	}
}

func TestTitleIsEmbeddedInFront(t *testing.T) {
	w := write(section("A", par("text")))
	w.o.Title = "The Title"
	o, got := packed(t, structural(20, 0), w)
	if d := cmp.Diff([]string{"The Title > A\n# A\n\ntext"}, embedded(o, got)); d != "" {
		t.Error(d)
	}
	o, got = packed(t, structural(10, 0), w) // a third is three tokens
	if d := cmp.Diff([]string{"A\n# A\n\ntext"}, embedded(o, got)); d != "" {
		t.Error(d)
	}
	if c := got[0]; c.Unprefixed != 1 || len(c.Breadcrumb) != 1 {
		t.Errorf("%d left out of %q", c.Unprefixed, c.Breadcrumb)
	}
}

func TestMetadata(t *testing.T) {
	c := code("x = 1")
	c.unit.Lang, c.unit.Attrs = "go", map[sdk.AttrKey]string{sdk.AttrInfo: "go run"}
	w := write(section("A", par("One."), par("Two.")), section("B", c), section("C", par("Three."), list(sdk.KindList, leaf(sdk.KindItem, sdk.CutChildren, "- x"))), section("D"))
	w.o.Language = "en"
	w.o.Segments = []sdk.Segment{{Text: sdk.Span{End: 8}, Page: 1}, {Text: sdk.Span{Start: 8, End: 24}, Page: 2}}
	o, got := packed(t, structural(40, 0), w)
	type meta struct {
		Kind, Lang string
		Lines      [2]int
		Page       int
		Info       string
	}
	want := []meta{{"paragraph", "en", [2]int{1, 5}, 1, ""}, {"code", "go", [2]int{7, 9}, 2, "go run"}, {"section", "en", [2]int{11, 15}, 0, ""}, {"heading", "en", [2]int{17, 17}, 0, ""}}
	var have []meta
	for _, c := range got {
		have = append(have, meta{c.Kind, c.Lang, [2]int{c.StartLine, c.EndLine}, c.Page, c.Attrs["info"]})
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Error(d)
	}
	if got[1].Section != o.Units[4].Span {
		t.Errorf("section %v, want %v", got[1].Section, o.Units[4].Span)
	}
}

func TestCutSentencesAreTold(t *testing.T) {
	long := "Here " + strings.Repeat("word ", 30) + "ends."
	for _, strategy := range []string{chunk.Structural, chunk.Recursive, chunk.Fixed} {
		p := structural(12, 0)
		p.Strategy = strategy
		o := checked(t, []byte("Short one. "+long+" Last one."), sdk.Outline{})
		got, err := chunk.Pack(context.Background(), o, p, token.Words{})
		if err != nil {
			t.Fatal(err)
		}
		if want := []object.Span{{Start: 11, End: 11 + int64(len(long))}}; !cmp.Equal(want, got.Cut) {
			t.Errorf("%s: got %v, want %v", strategy, got.Cut, want)
		}
	}
}

func TestFixedWindowsHaveTheirStride(t *testing.T) {
	var words []string
	for i := range 100 {
		words = append(words, fmt.Sprintf("w%d", i))
	}
	p := structural(20, 5)
	p.Strategy = chunk.Fixed
	o := checked(t, []byte(strings.Join(words, " ")), sdk.Outline{})
	got, err := chunk.Pack(context.Background(), o, p, token.Words{})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range got.Chunks {
		want := strings.Join(words[15*i:min(100, 15*i+20)], " ")
		if text := string(o.Text[c.Span.Start:c.Span.End]); text != want {
			t.Errorf("window %d is %q, want %q", i, text, want)
		}
	}
}
