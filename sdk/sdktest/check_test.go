package sdktest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleave-project/cleave/sdk"
	"github.com/cleave-project/cleave/sdk/sdktest"
)

// says is a splitter that always says the same.
type says struct {
	outline sdk.Outline
	err     error
	input   sdk.Input
}

func (s says) Info() sdk.Info {
	return sdk.Info{Name: "says", Version: "1", Globs: []string{"*"}, Input: s.input}
}

func (s says) Split(context.Context, sdk.File) (sdk.Outline, error) { return s.outline, s.err }

func rules(problems []sdktest.Problem) []sdktest.Rule {
	var found []sdktest.Rule
	for _, p := range problems {
		if !slices.Contains(found, p.Rule) {
			found = append(found, p.Rule)
		}
	}
	return found
}

// The content of all cases: the e acute lies at 4 and 5.
const content = "# h \u00e9\n| a |\n|---|\n| 1 |\n"

func unit(depth int, kind sdk.Kind, start, end int) sdk.Unit {
	return sdk.Unit{Depth: depth, Kind: kind, Span: sdk.Span{Start: start, End: end}, Cut: sdk.CutLines}
}

func table(rows ...sdk.Unit) []sdk.Unit {
	whole := unit(1, sdk.KindTable, 7, len(content))
	whole.Context = []sdk.Context{{Span: sdk.Span{Start: 7, End: 19}, Role: sdk.RoleHeader}}
	whole.Attrs = map[sdk.AttrKey]string{sdk.AttrColumns: `["a"]`, sdk.AttrRows: "1", sdk.AttrKeyColumns: "0"}
	section := unit(0, sdk.KindSection, 0, len(content))
	section.Name = "h \u00e9"
	return append([]sdk.Unit{section, unit(1, sdk.KindHeading, 0, 6), whole}, rows...)
}

func row(cells ...sdk.Span) sdk.Unit {
	r := unit(2, sdk.KindRow, 19, 25)
	for _, c := range cells {
		r.Cells = append(r.Cells, sdk.Cell{Span: c, Value: "1"})
	}
	r.Attrs = map[sdk.AttrKey]string{sdk.AttrRow: "1"}
	return r
}

// with changes one unit.
func with(u sdk.Unit, change func(*sdk.Unit)) sdk.Unit {
	change(&u)
	return u
}

func TestCheck(t *testing.T) {
	units := func(u ...sdk.Unit) sdk.Outline { return sdk.Outline{Units: u} }
	for _, tt := range []struct {
		name    string
		outline sdk.Outline
		want    []sdktest.Rule
	}{
		{"nothing", sdk.Outline{}, nil},
		{"a whole document", sdk.Outline{
			Title: "h \u00e9", Meta: map[string]string{"a": "b"}, Units: table(row(sdk.Span{Start: 21, End: 22})),
			Skips:    []sdk.Skip{{Span: sdk.Span{Start: 13, End: 18}, Reason: sdk.SkipMarkup}},
			Warnings: []sdk.Warning{{Code: sdk.WarnEmpty, Message: "m"}},
		}, nil},
		{"empty cell", units(table(row(sdk.Span{Start: 21, End: 21}))...), nil},
		{"negative", units(unit(0, sdk.KindText, -1, 2)), []sdktest.Rule{sdktest.RuleRange}},
		{"beyond", units(unit(0, sdk.KindText, 0, 99)), []sdktest.Rule{sdktest.RuleRange}},
		{"backwards", units(unit(0, sdk.KindText, 3, 2)), []sdktest.Rule{sdktest.RuleRange}},
		{"empty unit", units(unit(0, sdk.KindText, 3, 3)), []sdktest.Rule{sdktest.RuleRange}},
		{"half a character", units(unit(0, sdk.KindText, 0, 5)), []sdktest.Rule{sdktest.RuleBoundary}},
		{"deep start", units(unit(1, sdk.KindText, 0, 2)), []sdktest.Rule{sdktest.RuleDepth}},
		{"depth step", units(unit(0, sdk.KindText, 0, 9), unit(2, sdk.KindText, 0, 3)), []sdktest.Rule{sdktest.RuleDepth}},
		{"negative depth", units(unit(-1, sdk.KindText, 0, 9)), []sdktest.Rule{sdktest.RuleDepth}},
		{"leaves its parent", units(unit(0, sdk.KindList, 0, 3), unit(1, sdk.KindItem, 2, 4)), []sdktest.Rule{sdktest.RuleNested}},
		{"overlapping siblings", units(unit(0, sdk.KindText, 0, 4), unit(0, sdk.KindText, 3, 6)), []sdktest.Rule{sdktest.RuleOrdered}},
		{"siblings after a child", units(unit(0, sdk.KindList, 0, 6), unit(1, sdk.KindItem, 2, 4), unit(1, sdk.KindItem, 0, 1)),
			[]sdktest.Rule{sdktest.RuleOrdered}},
		{"cousins are no siblings", units(unit(0, sdk.KindList, 0, 3), unit(1, sdk.KindItem, 0, 3), unit(0, sdk.KindList, 3, 6),
			unit(1, sdk.KindItem, 3, 6)), nil},
		{"kind", units(unit(0, "banana", 0, 2)), []sdktest.Rule{sdktest.RuleList}},
		{"cut", units(with(unit(0, sdk.KindText, 0, 2), func(u *sdk.Unit) { u.Cut = "" })), []sdktest.Rule{sdktest.RuleList}},
		{"name with a break", units(with(unit(0, sdk.KindText, 0, 2), func(u *sdk.Unit) { u.Name = "a\u2028b" })), []sdktest.Rule{sdktest.RuleName}},
		{"name with a blank", units(with(unit(0, sdk.KindText, 0, 2), func(u *sdk.Unit) { u.Name = "a " })), []sdktest.Rule{sdktest.RuleName}},
		{"name of bytes", units(with(unit(0, sdk.KindText, 0, 2), func(u *sdk.Unit) { u.Name = "\xff" })), []sdktest.Rule{sdktest.RuleUTF8}},
		{"section alone", units(unit(0, sdk.KindSection, 0, 6)), []sdktest.Rule{sdktest.RuleSection}},
		{"section without heading", units(unit(0, sdk.KindSection, 0, 6), unit(1, sdk.KindText, 0, 6)), []sdktest.Rule{sdktest.RuleSection}},
		{"paragraph in a table", units(table(unit(2, sdk.KindParagraph, 19, 25))...), []sdktest.Rule{sdktest.RuleTable}},
		{"cells of a paragraph", units(with(row(sdk.Span{Start: 21, End: 22}), func(u *sdk.Unit) { u.Kind, u.Depth = sdk.KindParagraph, 0 })),
			[]sdktest.Rule{sdktest.RuleTable}},
		{"cell outside", units(table(row(sdk.Span{Start: 9, End: 10}))...), []sdktest.Rule{sdktest.RuleNested}},
		{"cells out of order", units(table(row(sdk.Span{Start: 21, End: 22}, sdk.Span{Start: 20, End: 21}))...), []sdktest.Rule{sdktest.RuleOrdered}},
		{"cell beyond", units(table(row(sdk.Span{Start: 21, End: 99}))...), []sdktest.Rule{sdktest.RuleRange}},
		{"context beyond", units(with(unit(0, sdk.KindText, 0, 2), func(u *sdk.Unit) {
			u.Context = []sdk.Context{{Span: sdk.Span{Start: 0, End: 99}, Role: sdk.RoleLead}}
		})), []sdktest.Rule{sdktest.RuleRange}},
		{"role", units(with(unit(0, sdk.KindText, 0, 2), func(u *sdk.Unit) {
			u.Context = []sdk.Context{{Span: sdk.Span{Start: 0, End: 2}, Role: "x"}}
		})), []sdktest.Rule{sdktest.RuleList}},
		{"attribute key", units(with(unit(0, sdk.KindText, 0, 2), func(u *sdk.Unit) { u.Attrs = map[sdk.AttrKey]string{"x": ""} })),
			[]sdktest.Rule{sdktest.RuleList}},
		{"columns", units(with(unit(0, sdk.KindText, 0, 2), func(u *sdk.Unit) { u.Attrs = map[sdk.AttrKey]string{sdk.AttrColumns: "a,b"} })),
			[]sdktest.Rule{sdktest.RuleAttr}},
		{"row number", units(with(unit(0, sdk.KindText, 0, 2), func(u *sdk.Unit) { u.Attrs = map[sdk.AttrKey]string{sdk.AttrRow: "0"} })),
			[]sdktest.Rule{sdktest.RuleAttr}},
		{"skip beyond", sdk.Outline{Skips: []sdk.Skip{{Span: sdk.Span{Start: 0, End: 99}, Reason: sdk.SkipMarkup}}}, []sdktest.Rule{sdktest.RuleRange}},
		{"skips out of order", sdk.Outline{Skips: []sdk.Skip{{Span: sdk.Span{Start: 2, End: 4}, Reason: sdk.SkipMarkup},
			{Span: sdk.Span{Start: 0, End: 1}, Reason: sdk.SkipMarkup}}}, []sdktest.Rule{sdktest.RuleOrdered}},
		{"skip reason", sdk.Outline{Skips: []sdk.Skip{{Span: sdk.Span{Start: 0, End: 1}, Reason: "dull"}}}, []sdktest.Rule{sdktest.RuleList}},
		{"warning", sdk.Outline{Warnings: []sdk.Warning{{Code: "x", Span: sdk.Span{Start: 4, End: 99}}}},
			[]sdktest.Rule{sdktest.RuleList, sdktest.RuleRange}},
		{"segment for nothing", sdk.Outline{Segments: []sdk.Segment{{Text: sdk.Span{Start: 0, End: 2}}}}, []sdktest.Rule{sdktest.RuleSegments}},
		{"page marks", sdk.Outline{Segments: []sdk.Segment{{Text: sdk.Span{Start: 0, End: 2}, Page: 1}}}, nil},
		{"extracted", sdk.Outline{Text: []byte("h\nab"),
			Segments: []sdk.Segment{{Text: sdk.Span{Start: 0, End: 2}, Source: sdk.Span{Start: 2, End: 7}},
				{Text: sdk.Span{Start: 2, End: 4}, Source: sdk.Span{Start: 7, End: 18}}},
			Skips: []sdk.Skip{{Span: sdk.Span{Start: 0, End: 2}, Reason: sdk.SkipMarkup}, {Span: sdk.Span{Start: 19, End: 24}, Reason: sdk.SkipMarkup}},
		}, nil},
		{"extracted with a hole", sdk.Outline{Text: []byte("h"),
			Segments: []sdk.Segment{{Text: sdk.Span{Start: 0, End: 1}, Source: sdk.Span{Start: 0, End: 9}}}}, []sdktest.Rule{sdktest.RuleCoverage}},
		{"extracted without addresses", sdk.Outline{Text: []byte("h"), Segments: []sdk.Segment{{Text: sdk.Span{Start: 0, End: 1}, Page: 2}}}, nil},
		{"segments out of order", sdk.Outline{Text: []byte("hello"), Segments: []sdk.Segment{{Text: sdk.Span{Start: 2, End: 3}, Page: 1},
			{Text: sdk.Span{Start: 0, End: 1}, Page: 2}}}, []sdktest.Rule{sdktest.RuleOrdered}},
		{"extracted bytes", sdk.Outline{Text: []byte("h\xff")}, []sdktest.Rule{sdktest.RuleUTF8}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			problems := sdktest.Check(t.Context(), says{outline: tt.outline, input: sdk.InputText}, "f", sdk.File{Content: []byte(content)})
			if diff := cmp.Diff(tt.want, rules(problems)); diff != "" {
				t.Errorf("rules (-want +got)\n%s%v", diff, problems)
			}
		})
	}
}

func TestCheckErrors(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want []sdktest.Rule
	}{
		{"refusal", sdk.Errorf(sdk.CodeDamaged, "no end"), nil},
		{"unknown code", sdk.Errorf("broken", "no end"), []sdktest.Rule{sdktest.RuleList}},
		{"two lines", sdk.Errorf(sdk.CodeDamaged, "a\nb"), []sdktest.Rule{sdktest.RuleAnswers}},
		{"plain error", errors.New("oops"), []sdktest.Rule{sdktest.RuleAnswers}},
		{"crash", sdk.Errorf(sdk.CodePluginCrashed, "gone"), []sdktest.Rule{sdktest.RuleAnswers}},
	} {
		problems := sdktest.Check(t.Context(), says{err: tt.err, input: sdk.InputText}, "f", sdk.File{})
		if diff := cmp.Diff(tt.want, rules(problems)); diff != "" {
			t.Errorf("%s: rules (-want +got)\n%s%v", tt.name, diff, problems)
		}
	}
}

// moody says something else each time.
type moody struct {
	says
	calls atomic.Int64
}

func (m *moody) Split(context.Context, sdk.File) (sdk.Outline, error) {
	return sdk.Outline{Title: fmt.Sprint(m.calls.Add(1))}, nil
}

// borrower returns the content's own memory.
type borrower struct{ says }

func (borrower) Split(_ context.Context, f sdk.File) (sdk.Outline, error) {
	return sdk.Outline{Text: f.Content[:1]}, nil
}

// TestCheckAcrossCalls: what only a second look finds.
func TestCheckAcrossCalls(t *testing.T) {
	f := sdk.File{Content: []byte("abc")}
	got := rules(sdktest.Check(t.Context(), &moody{says: says{input: sdk.InputText}}, "f", f))
	if diff := cmp.Diff([]sdktest.Rule{sdktest.RuleDeterministic}, got); diff != "" {
		t.Errorf("moody (-want +got)\n%s", diff)
	}
	got = rules(sdktest.Check(t.Context(), borrower{says{input: sdk.InputText}}, "f", f))
	if diff := cmp.Diff([]sdktest.Rule{sdktest.RuleReturnsOwn}, got); diff != "" {
		t.Errorf("borrower (-want +got)\n%s", diff)
	}
}

// TestManyProblems: a mistake in a loop gives a bounded list that says how much was left out.
func TestManyProblems(t *testing.T) {
	var o sdk.Outline
	for range 1000 {
		o.Units = append(o.Units, unit(0, "x", 0, 99))
	}
	problems := sdktest.Check(t.Context(), says{outline: o, input: sdk.InputText}, "f", sdk.File{Content: []byte("abc")})
	last := problems[len(problems)-1]
	if len(problems) > 100 || !strings.Contains(last.Detail, "more problems") || last.File != "f" {
		t.Errorf("%d problems, the last is %v", len(problems), last)
	}
}
