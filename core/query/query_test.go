package query_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/query"
)

func want(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// guide has two sections; each paragraph has five words.
const guide = "# Install\n\none apple two three four\n\nfive six seven eight nine\n\nten eleven twelve plum fourteen\n\n" +
	"# Operate\n\nfifteen sixteen damson seventeen eighteen\n\nnineteen twenty more and more\n\n"

func TestExpand(t *testing.T) {
	s := source(t, "s", map[object.Path]file{"guide.md": {text: guide}})
	for _, test := range []struct {
		name    string
		request query.Request
		want    []string
	}{
		{"none", query.Request{Text: "apple", Expand: query.ExpandNone}, []string{"guide.md 1-1 1"}},
		{"window", query.Request{Text: "apple", Expand: query.ExpandWindow}, []string{"guide.md 0-2 1"}},
		{"window at the start", query.Request{Text: "install", Expand: query.ExpandWindow, Window: 2}, []string{"guide.md 0-2 0"}},
		{"window over a section's end", query.Request{Text: "damson", Expand: query.ExpandWindow, Window: 2}, []string{"guide.md 3-6 5"}},
		{"section", query.Request{Text: "apple"}, []string{"guide.md 0-3 1"}},
		{"the other section", query.Request{Text: "damson"}, []string{"guide.md 4-6 5"}},
		{"two matches in a section merge", query.Request{Text: "apple plum"}, []string{"guide.md 0-3 1+3"}},
		{"matches that touch merge", query.Request{Text: "plum operate", Expand: query.ExpandNone}, []string{"guide.md 3-4 4+3"}},
		{"matches apart do not", query.Request{Text: "apple plum", Expand: query.ExpandNone}, []string{"guide.md 1-1 1", "guide.md 3-3 3"}},
		{"sections that touch merge", query.Request{Text: "apple damson"}, []string{"guide.md 0-6 1+5"}},
		{"the budget ends a section at a chunk", query.Request{Text: "apple", Budget: 10}, []string{"guide.md 1-2 1"}},
		{"the chunk alone", query.Request{Text: "apple", Budget: 6}, []string{"guide.md 1-1 1"}},
		{"one hit", query.Request{Text: "apple damson", K: 1, Expand: query.ExpandNone}, []string{"guide.md 1-1 1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			want(t, test.name, ranges(ask(t, test.request, s)), test.want...)
		})
	}
}

func TestPassageSaysWhereItStands(t *testing.T) {
	s := source(t, "s", map[object.Path]file{"guide.md": {text: guide}})
	a := ask(t, query.Request{Text: "damson", Expand: query.ExpandWindow}, s)
	if len(a.Hits) != 1 {
		t.Fatalf("got %d hits", len(a.Hits))
	}
	h := a.Hits[0]
	if h.Passage.StartLine != 9 || h.Passage.EndLine != 13 || h.Source != "s" || h.Generation != 1 || a.Generations["s"] != 1 || h.Rank != 1 {
		t.Errorf("got %+v", h)
	}
}

func TestBudgetTooSmallForAnyMatch(t *testing.T) {
	s := source(t, "s", map[object.Path]file{"guide.md": {text: guide}})
	a := ask(t, query.Request{Text: "apple", Budget: 2}, s)
	if len(a.Hits) != 0 || len(a.Degraded) != 1 || !strings.Contains(a.Degraded[0], "budget is 2") {
		t.Errorf("got %+v", a)
	}
	if a := ask(t, query.Request{Text: "nothing like it"}, s); len(a.Hits) != 0 || len(a.Degraded) != 0 {
		t.Errorf("no match: got %+v", a)
	}
}

func TestMatchThatDoesNotFitIsPassedOver(t *testing.T) {
	s := source(t, "s", map[object.Path]file{
		"big.md":   {text: "apple apple apple apple apple apple " + strings.Repeat("word ", 60) + "\n\n"},
		"first.md": {text: "apple\n\n"},
		"small.md": {text: "an apple here\n\n"},
	})
	a := ask(t, query.Request{Text: "apple", Budget: 20}, s)
	for _, h := range a.Hits {
		if h.Path == "big.md" {
			t.Errorf("66 tokens in a budget of 20")
		}
	}
	if len(a.Hits) != 2 {
		t.Errorf("got %v, want the two that fit", ranges(a))
	}
}

func TestFilters(t *testing.T) {
	day := func(s string) time.Time {
		d, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	modified := func(s string) object.Entry { return object.Entry{Modified: day(s).UnixNano()} }
	s := source(t, "s", map[object.Path]file{
		"dated.md":     {text: "apple\n\n", meta: map[string]string{"Date": "2024-05-01", "author": "Ann Lee"}, entry: modified("2020-01-01")},
		"undated.md":   {text: "apple\n\n", entry: modified("2023-01-01"), lang: "de-AT"},
		"docs/code.md": {text: "    apple()\n\n", entry: modified("2022-01-01"), lang: "en", meta: map[string]string{"authors": "Bob"}},
		"valid.md": {text: "apple\n\n", lang: "fr", entry: object.Entry{
			Modified: day("2021-01-01").UnixNano(), EffectiveFrom: "2021-06-01", EffectiveTo: "2022-06-01"}},
	})
	for _, test := range []struct {
		name    string
		request query.Request
		want    string
	}{
		{"all", query.Request{}, "dated.md docs/code.md undated.md valid.md"},
		{"path", query.Request{Path: "docs/**"}, "docs/code.md"},
		{"kind", query.Request{Kind: "code"}, "docs/code.md"},
		{"lang of the document", query.Request{Lang: "EN"}, "docs/code.md"},
		{"lang by subtags", query.Request{Lang: "de"}, "undated.md"},
		{"lang is not a prefix", query.Request{Lang: "f"}, ""},
		{"author", query.Request{Author: "ann"}, "dated.md"},
		{"authors", query.Request{Author: "BOB"}, "docs/code.md"},
		{"after: its date, not when it was modified", query.Request{After: day("2024-05-01")}, "dated.md"},
		{"before excludes the day", query.Request{Before: day("2023-01-01")}, "docs/code.md valid.md"},
		{"between", query.Request{After: day("2022-01-01"), Before: day("2024-01-01")}, "docs/code.md undated.md"},
		{"as of the first day", query.Request{AsOf: day("2021-06-01")}, "dated.md docs/code.md undated.md valid.md"},
		{"as of before", query.Request{AsOf: day("2021-05-31")}, "dated.md docs/code.md undated.md"},
		{"as of the end", query.Request{AsOf: day("2022-06-01")}, "dated.md docs/code.md undated.md"},
		{"two", query.Request{Lang: "en", Author: "ann"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.request.Text = "apple"
			a := ask(t, test.request, s)
			got := map[string]bool{}
			for _, h := range a.Hits {
				got[string(h.Path)] = true
			}
			wanted := map[string]bool{}
			for _, path := range strings.Fields(test.want) {
				wanted[path] = true
			}
			if diff := cmp.Diff(wanted, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Admission is asked before ranking, and again when a passage is made (I10).
func TestAdmission(t *testing.T) {
	s := source(t, "s", map[object.Path]file{"a.md": {text: "apple\n\n"}, "b.md": {text: "apple\n\n"}})
	s.Admit = func(path object.Path, _ object.Entry) bool { return path == "b.md" }
	want(t, "before ranking", ranges(ask(t, query.Request{Text: "apple", K: 1}, s)), "b.md 0-0 0")
	asked := 0
	s.Admit = func(path object.Path, _ object.Entry) bool {
		asked++
		return asked <= 2 // revoked after the search
	}
	if a := ask(t, query.Request{Text: "apple"}, s); len(a.Hits) != 0 || len(a.Degraded) != 0 {
		t.Errorf("a policy that changed before expansion: got %v", ranges(a))
	}
}

// A document does not fill the answer while others match about as well; alone it may.
func TestDiversity(t *testing.T) {
	many := ""
	for i := range 12 {
		many += fmt.Sprintf("apple number%c\n\nfiller\n\n", 'a'+i)
	}
	files := map[object.Path]file{"many.md": {text: many}}
	a := ask(t, query.Request{Text: "apple", K: 5, Expand: query.ExpandNone}, source(t, "s", files))
	if len(a.Hits) != 5 {
		t.Errorf("one document alone: got %d hits, want 5", len(a.Hits))
	}
	for _, name := range []object.Path{"x.md", "y.md", "z.md"} {
		files[name] = file{text: "apple fruit\n\n"}
	}
	a = ask(t, query.Request{Text: "apple", K: 5, Expand: query.ExpandNone}, source(t, "s", files))
	paths := map[object.Path]int{}
	for _, h := range a.Hits {
		paths[h.Path]++
	}
	if len(paths) != 4 {
		t.Errorf("got %v, want all four documents among five hits", paths)
	}
}

func TestSeveralSources(t *testing.T) {
	a := source(t, "a", map[object.Path]file{"1.md": {text: "apple pie and apple jam\n\n"}, "2.md": {text: "plum\n\n"}})
	b := source(t, "b", map[object.Path]file{"1.md": {text: "apple\n\n"}, "3.md": {text: "a long text on other things with one apple in it\n\n"}})
	got := ask(t, query.Request{Text: "apple"}, a, b)
	var order []string
	for _, h := range got.Hits {
		order = append(order, fmt.Sprintf("%s:%s", h.Source, h.Path))
	}
	want(t, "one list", order, "b:1.md", "a:1.md", "b:3.md")
	if diff := cmp.Diff(map[object.Source]uint64{"a": 1, "b": 1}, got.Generations); diff != "" {
		t.Errorf("generations (-want +got):\n%s", diff)
	}
	mixed := a
	mixed.Pin = b.Pin
	if _, err := query.Run(t.Context(), whole(query.Request{Text: "x"}), []query.Source{mixed}); err == nil {
		t.Error("a pin and a view of different generations were accepted (I9)")
	}
}

func TestBadRequests(t *testing.T) {
	for name, r := range map[string]query.Request{
		"path": {Path: "["}, "expand": {Expand: "all"}, "k": {K: -1}, "budget": {Budget: -1}, "window": {Window: -1},
	} {
		if _, err := query.Run(t.Context(), whole(r), nil); !errors.Is(err, query.ErrRequest) {
			t.Errorf("%s: got %v, want ErrRequest", name, err)
		}
	}
	if _, err := query.Run(t.Context(), query.Request{Text: "x"}, nil); !errors.Is(err, query.ErrRequest) {
		t.Errorf("nothing is set: got %v, want ErrRequest", err)
	}
	if a, err := query.Run(t.Context(), whole(query.Request{Text: "x"}), nil); err != nil || len(a.Hits) != 0 {
		t.Errorf("no source: got %+v, %v", a, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := source(t, "s", map[object.Path]file{"a": {text: "apple\n\n"}})
	if _, err := query.Run(ctx, whole(query.Request{Text: "apple"}), []query.Source{s}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want canceled", err)
	}
}

// Whatever is asked, checkAnswer holds, with an exact model tokenizer too, and the same question has the same answer.
func TestEveryAnswer(t *testing.T) {
	files := map[object.Path]file{}
	for i := range 6 {
		var text strings.Builder
		for j := range 30 {
			if j%7 == 0 {
				fmt.Fprintf(&text, "# Part %d\n\n", j)
			}
			fmt.Fprintf(&text, "%sapple%s plum %s. Zwölf Äpfel, 苹果 %d\n\n", []string{"", "|head ", "|", "| "}[(i+j)%4], strings.Repeat(" fig", (i*j)%5), strings.Repeat("damson ", (i+j)%9), j)
		}
		files[object.Path(fmt.Sprintf("%d.md", i))] = file{text: text.String(), policy: object.Policy{Tokenizer: []string{"words", "o200k_base"}[i%2]}}
	}
	s := source(t, "s", files)
	rapid.Check(t, func(r *rapid.T) {
		q := query.Request{
			Text:   strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"apple", "plum", "fig", "damson", "苹果", "part", "3"}), 1, 3).Draw(r, "words"), " "),
			K:      rapid.IntRange(1, 40).Draw(r, "k"),
			Budget: rapid.IntRange(1, 900).Draw(r, "budget"),
			Expand: rapid.SampledFrom([]query.Expand{query.ExpandNone, query.ExpandWindow, query.ExpandSection}).Draw(r, "expand"),
			Window: rapid.IntRange(0, 5).Draw(r, "window"),
		}
		a, err := query.Run(t.Context(), q, []query.Source{s})
		if err != nil {
			r.Fatal(err)
		}
		checkAnswer(r, q, a, []query.Source{s})
		if len(a.Hits) > q.K {
			r.Errorf("%d hits, %d wanted", len(a.Hits), q.K)
		}
		if best := len(a.Hits) > 0 && a.Hits[0].Rank == 1; best != (len(a.Degraded) == 0) { // what is best and missing is named
			r.Errorf("%d hits, degraded %q", len(a.Hits), a.Degraded)
		}
		again, err := query.Run(t.Context(), q, []query.Source{s})
		if err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(a, again); diff != "" {
			r.Errorf("the same question, another answer:\n%s", diff)
		}
	})
}

// A row is not given to a model without its header (A9): what the chunks repeat goes before the passage, unless the
// passage holds it, and counts against the budget.
func TestContextGoesBeforeThePassage(t *testing.T) {
	s := source(t, "s", map[object.Path]file{"t.md": {text: "# Ports\n\n|head port site\n\n| quince 8001 south\n\n| medlar 8002 north\n\n"}})
	for _, test := range []struct {
		expand  query.Expand
		budget  int
		context string
		tokens  int
	}{
		{query.ExpandNone, 100, "|head port site\n", 7},
		{query.ExpandSection, 8, "|head port site\n", 7}, // no room to grow
		{query.ExpandSection, 100, "", 13},
	} {
		a := ask(t, query.Request{Text: "medlar", Expand: test.expand, Budget: test.budget}, s)
		var context string
		for _, q := range a.Hits[0].Passage.Context {
			context += string(q.Text)
		}
		if context != test.context || a.Tokens != test.tokens {
			t.Errorf("%s, budget %d: context %q, %d tokens; want %q, %d", test.expand, test.budget, context, a.Tokens, test.context, test.tokens)
		}
	}
	if a := ask(t, query.Request{Text: "medlar", Expand: query.ExpandNone, Budget: 6}, s); len(a.Hits) != 0 {
		t.Errorf("a budget of 6 tokens holds a row of 4 without its header of 3: %v", ranges(a))
	}
}
