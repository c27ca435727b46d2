package text_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cleave-project/cleave/core/text"
	"github.com/cleave-project/cleave/sdk"
)

// CommonMark 2.1: a line ending is LF, CR LF, or a CR not followed by LF.
func TestLines(t *testing.T) {
	for s, want := range map[string][]string{
		"":               nil,
		"a":              {"a"},
		"a\n":            {"a\n"},
		"a\nb\r\nc\rd":   {"a\n", "b\r\n", "c\r", "d"},
		"\n\r\n\r\r\n\r": {"\n", "\r\n", "\r", "\r\n", "\r"},
		"a\u2028b\fc":    {"a\u2028b\fc"},
	} {
		if d := cmp.Diff(want, parts(s, text.Lines)); d != "" {
			t.Errorf("%q: (-want +got)\n%s", s, d)
		}
	}
}

func TestLineIndex(t *testing.T) {
	x := text.NewLineIndex([]byte("ab\ncd\r\n\rx\n"))
	for offset, want := range []int{1, 1, 1, 2, 2, 2, 2, 3, 4, 4, 5} {
		if got := x.Line(offset); got != want {
			t.Errorf("line of byte %d: got %d, want %d", offset, got, want)
		}
	}
	for _, tc := range []struct {
		span        sdk.Span
		first, last int
	}{{sdk.Span{Start: 0, End: 3}, 1, 1}, {sdk.Span{Start: 1, End: 4}, 1, 2}, {sdk.Span{Start: 3, End: 3}, 2, 2}, {sdk.Span{Start: 0, End: 10}, 1, 4}} {
		if first, last := x.Range(tc.span); first != tc.first || last != tc.last {
			t.Errorf("lines of %v: got %d-%d, want %d-%d", tc.span, first, last, tc.first, tc.last)
		}
	}
	if x.Count() != 5 || x.Start(2) != 3 || x.Start(4) != 8 || x.Start(99) != 10 {
		t.Errorf("count %d, starts %d %d %d", x.Count(), x.Start(2), x.Start(4), x.Start(99))
	}
	if n := text.NewLineIndex(nil).Line(0); n != 1 {
		t.Errorf("line 0 of nothing: got %d, want 1", n)
	}
}

// TestLineIndexCounts: the line of an offset is one more than the line endings before it.
func TestLineIndexCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "\n", "\r", "\r\n", "é"})).Draw(t, "s"), "")
		x := text.NewLineIndex([]byte(s))
		line := 1
		for i := range len(s) {
			if got := x.Line(i); got != line {
				t.Fatalf("%q: byte %d: got line %d, want %d", s, i, got, line)
			}
			if s[i] == '\n' || s[i] == '\r' && (i+1 == len(s) || s[i+1] != '\n') {
				line++
			}
		}
	})
}

func TestParagraphs(t *testing.T) {
	for s, want := range map[string][]string{
		"":                        nil,
		"a":                       {"a"},
		"a\nb\n\nc\n":             {"a\nb\n\n", "c\n"},
		"\n \na\n\t\n\n\nb\r\n\r": {"\n \na\n\t\n\n\n", "b\r\n\r"},
		"a\r\rb\r\n\r\nc":         {"a\r\r", "b\r\n\r\n", "c"},
		" \n\n":                   {" \n\n"},
	} {
		if d := cmp.Diff(want, parts(s, text.Paragraphs)); d != "" {
			t.Errorf("%q: (-want +got)\n%s", s, d)
		}
	}
}

// From UAX #29: table 1b and 1c for graphemes (combining marks, Hangul, flags, emoji with joiners, Indic conjuncts by
// rule GB9c), section 4.1 for words.
func TestGraphemesAndWords(t *testing.T) {
	if d := cmp.Diff([]string{"g\u0308", "각", "\u1100\u1161\u11a8", "நி", "क्षि", "🇩🇪", "🇫", "👩‍👩‍👧", "\r\n", "a"},
		parts("g\u0308각\u1100\u1161\u11a8நிक्षि🇩🇪🇫👩‍👩‍👧\r\na", text.Graphemes)); d != "" {
		t.Errorf("graphemes (-want +got)\n%s", d)
	}
	if d := cmp.Diff([]string{"The", " ", "quick", " ", "(", "\"", "brown", "\"", ")", " ", "can't", " ", "32.3", " ", "feet", "."},
		parts("The quick (\"brown\") can't 32.3 feet.", text.Words)); d != "" {
		t.Errorf("words (-want +got)\n%s", d)
	}
}

// TestGraphemeBoundary compares with the boundaries of the whole text.
func TestGraphemeBoundary(t *testing.T) {
	bits := []string{"a", "é", "e\u0301", " ", "\r", "\n", "👩", "\u200d", "🇩", "क", "्", "ष", "한", "ᄀ", "ᅡ", "世", "か", "\u3099", "ก", "ำ", "\u0600", "ǆ", "я", "#", "\ufe0f", "\u20e3", "ﾞ", "\xff"}
	rapid.Check(t, func(t *rapid.T) {
		s := []byte(strings.Join(rapid.SliceOf(rapid.SampledFrom(bits)).Draw(t, "bits"), ""))
		want, last := make([]int, len(s)+1), 0
		isStart := map[int]bool{len(s): true}
		for g := range text.Graphemes(s) {
			isStart[g.Start] = true
		}
		for i := range want {
			if isStart[i] {
				last = i
			}
			want[i] = last
		}
		for i := range want {
			if got := text.GraphemeBoundary(s, i); got != want[i] {
				t.Fatalf("%q at %d: got %d, want %d", s, i, got, want[i])
			}
			if got := text.IsGraphemeBoundary(s, i); got != isStart[i] {
				t.Fatalf("%q at %d: boundary %v, want %v", s, i, got, isStart[i])
			}
		}
	})
}
