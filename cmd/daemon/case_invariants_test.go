package main_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/text"
	"github.com/cleave-project/cleave/core/token"
	"github.com/cleave-project/cleave/sdk"
)

// invariants checks what holds for every answer with chunks, whatever the case says.
func (e *expect) invariants(t *testing.T, data []byte, a control.SplitAnswer, tok token.Tokenizer) {
	t.Helper()
	all := pieces(a)
	for i, p := range all {
		e.one(t, data, i, p)
		if n := tok.Count([]byte(p.embed)) + tok.Special(); n != p.tokens || n > e.MaxTokens { // I5
			t.Errorf("chunk %d: %d tokens, says %d, budget %d", i, n, p.tokens, e.MaxTokens)
		}
		if i > 0 {
			e.advances(t, i, all[i-1], p)
		}
	}
	e.covered(t, data, all, a.Skipped)
}

// one checks a chunk alone: its range, its text and its breadcrumb.
func (e *expect) one(t *testing.T, data []byte, i int, p piece) {
	t.Helper()
	if strings.TrimSpace(p.read) == "" {
		t.Errorf("chunk %d: empty", i)
	}
	for _, el := range p.breadcrumb {
		if el == "" || el != strings.TrimSpace(el) || strings.ContainsAny(el, "\r\uFEFF") {
			t.Errorf("chunk %d: breadcrumb element %q", i, el)
		}
	}
	if e.Coords == "extracted" {
		return
	}
	if p.start < 0 || p.end <= p.start || p.end > len(data) {
		t.Fatalf("chunk %d: range [%d,%d) of %d bytes", i, p.start, p.end, len(data))
	}
	if !slices.Contains(e.decodings(data[p.start:p.end]), p.read) { // I4
		t.Errorf("chunk %d: text is not the file's [%d,%d): %.60q", i, p.start, p.end, p.read)
	}
	for _, at := range []int{p.start, p.end} { // A6
		if e.plainUTF8() && !e.SplitOK && at < len(data) && !text.IsGraphemeBoundary(data, at) {
			t.Errorf("chunk %d: cut inside a grapheme cluster at %d: %q", i, at, data[max(0, at-12):min(len(data), at+12)])
		}
	}
}

// advances checks that ranges strictly increase and that only overlap makes them meet.
func (e *expect) advances(t *testing.T, i int, a, b piece) {
	t.Helper()
	if e.Coords == "extracted" {
		return
	}
	if b.start <= a.start || b.end <= a.end {
		t.Errorf("chunks %d and %d do not advance: [%d,%d) [%d,%d)", i-1, i, a.start, a.end, b.start, b.end)
	}
	if e.Overlap == 0 && b.start < a.end {
		t.Errorf("chunks %d and %d overlap: [%d,%d) [%d,%d)", i-1, i, a.start, a.end, b.start, b.end)
	}
}

// covered checks that every byte that is not space is in a chunk or was skipped for a reason (A13).
func (e *expect) covered(t *testing.T, data []byte, all []piece, skipped []control.Skipped) {
	t.Helper()
	if e.Coords == "extracted" {
		return
	}
	seen, left := make([]bool, len(data)), 0
	mark := func(start, end int) {
		for i := start; i < end; i++ {
			seen[i] = true
		}
	}
	for _, p := range all {
		mark(p.start, p.end)
	}
	for _, s := range skipped {
		if s.Reason == "" || s.Start < 0 || s.Start >= s.End || s.End > int64(len(data)) {
			t.Fatalf("skipped %+v of %d bytes", s, len(data))
		}
		mark(int(s.Start), int(s.End))
		left += int(s.End - s.Start)
	}
	if most := e.MaxSkipped; most == nil && left > len(data)/4 || most != nil && left > *most {
		t.Errorf("%d of %d bytes skipped", left, len(data))
	}
	if e.AllCovered != nil && !*e.AllCovered {
		return
	}
	for _, s := range e.UncoveredOK {
		for _, o := range occurrences(data, s) {
			mark(o[0], o[1])
		}
	}
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if slices.Contains(seen[i:i+n], false) && !sdk.IsSpace(r) {
			t.Errorf("no chunk holds byte %d: %q", i, data[i:min(len(data), i+40)])
			return
		}
		i += n
	}
}

// occurrences is where s stands in data.
func occurrences(data []byte, s string) [][2]int {
	var out [][2]int
	for i := 0; ; i++ {
		j := bytes.Index(data[i:], []byte(s))
		if j < 0 {
			return out
		}
		i += j
		out = append(out, [2]int{i, i + len(s)})
	}
}
