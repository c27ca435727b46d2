package main_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleave-project/cleave/core/control"
)

// claims checks what the case says about an answer with chunks.
func (e *expect) claims(t *testing.T, data []byte, a control.SplitAnswer) {
	t.Helper()
	c := claim{expect: e, data: data, all: pieces(a)}
	c.whole(t)
	c.edges(t)
	c.groups(t)
	c.paths(t)
	c.embedded(t)
	c.order(t)
	c.said(t, a)
	if n := len(c.all); n < e.MinChunks || e.MaxChunks != nil && n > *e.MaxChunks {
		t.Errorf("%d chunks", n)
	}
}

// claim is a case and the chunks that are held against it.
type claim struct {
	*expect
	data []byte
	all  []piece
}

// whole checks what some chunk must hold whole.
func (c *claim) whole(t *testing.T) {
	t.Helper()
	for _, s := range c.Contain {
		if !slices.ContainsFunc(c.all, func(p piece) bool { return has(p.read, s) }) {
			t.Errorf("no chunk contains %q", s)
		}
	}
	for _, s := range c.NotSplit {
		if !c.plainUTF8() {
			if !slices.ContainsFunc(c.all, func(p piece) bool { return has(p.read, s) }) {
				t.Errorf("split or lost: %q", s)
			}
			continue
		}
		found := occurrences(c.data, s)
		if len(found) == 0 {
			t.Errorf("the case is wrong: %q is not in its input", s)
		}
		for _, o := range found {
			if !slices.ContainsFunc(c.all, func(p piece) bool { return p.start <= o[0] && o[1] <= p.end }) {
				t.Errorf("split or lost: %q at %d", s, o[0])
			}
		}
	}
}

// edges checks how chunks begin and end.
func (c *claim) edges(t *testing.T) {
	t.Helper()
	for i, p := range c.all {
		begin, end := strings.TrimSpace(p.read), strings.TrimSpace(p.read)
		for _, s := range c.NotStart {
			if strings.HasPrefix(begin, s) {
				t.Errorf("chunk %d starts with %q", i, s)
			}
		}
		for _, s := range c.NotEnd {
			if strings.HasSuffix(end, s) {
				t.Errorf("chunk %d ends with %q", i, s)
			}
		}
		starts := func(s string) bool { return strings.HasPrefix(begin, s) }
		if c.StartsOnlyAt != nil && !slices.ContainsFunc(c.StartsOnlyAt, starts) {
			t.Errorf("chunk %d starts at %.30q", i, begin)
		}
	}
}

// groups checks what stands together and what does not.
func (c *claim) groups(t *testing.T) {
	t.Helper()
	together := func(group []string) bool {
		return slices.ContainsFunc(c.all, func(p piece) bool {
			return !slices.ContainsFunc(group, func(s string) bool { return !has(p.read, s) })
		})
	}
	for _, g := range c.Together {
		if !together(g) {
			t.Errorf("not together: %q", g)
		}
	}
	for _, g := range c.Apart {
		if together(g) {
			t.Errorf("in one chunk: %q", g)
		}
	}
}

// paths checks breadcrumbs.
func (c *claim) paths(t *testing.T) {
	t.Helper()
	for _, q := range c.Breadcrumbs {
		found := c.where(q.Text)
		if len(found) == 0 && !q.Optional {
			t.Errorf("%q is in no chunk", q.Text)
		}
		for _, p := range found {
			if q.Path != nil && !matches(p.breadcrumb, *q.Path) {
				t.Errorf("the path of %q is %q, want %q", q.Text, p.breadcrumb, *q.Path)
			}
			joined := strings.Join(p.breadcrumb, " ")
			for _, s := range q.Contains {
				if !strings.Contains(joined, s) {
					t.Errorf("the path of %q lacks %q: %q", q.Text, s, p.breadcrumb)
				}
			}
			for _, s := range q.Lacks {
				if strings.Contains(joined, s) {
					t.Errorf("the path of %q has %q: %q", q.Text, s, p.breadcrumb)
				}
			}
		}
	}
	for i, p := range c.all {
		fits := func(want []choice) bool { return matches(p.breadcrumb, want) }
		if c.Allowed != nil && !slices.ContainsFunc(c.Allowed, fits) {
			t.Errorf("chunk %d: path %q", i, p.breadcrumb)
		}
		for _, s := range c.NotHeading {
			if slices.ContainsFunc(p.breadcrumb, func(el string) bool { return fold(el) == fold(s) }) {
				t.Errorf("chunk %d: false heading %q", i, s)
			}
		}
	}
}

// where is the chunks that meet the first occurrence of s.
func (c *claim) where(s string) []piece {
	meets := func(p piece) bool { return has(p.read, s) }
	if c.plainUTF8() {
		found := occurrences(c.data, s)
		meets = func(p piece) bool { return len(found) > 0 && p.start < found[0][1] && found[0][0] < p.end }
	}
	var out []piece
	for _, p := range c.all {
		if meets(p) {
			out = append(out, p)
		}
	}
	return out
}

func matches(path []string, want []choice) bool {
	return slices.EqualFunc(path, want, func(el string, any choice) bool {
		return slices.ContainsFunc(any, func(s string) bool { return fold(el) == fold(s) })
	})
}

// embedded checks the embedding texts: repeated context, and what must not be repeated.
func (c *claim) embedded(t *testing.T) {
	t.Helper()
	for _, q := range c.ContextOf {
		found := c.where(q.Text)
		if len(found) == 0 {
			t.Errorf("%q is in no chunk", q.Text)
		}
		for _, p := range found {
			for _, s := range q.Contains {
				if !strings.Contains(p.embed, s) {
					t.Errorf("a chunk of %q lacks the context %q", q.Text, s)
				}
			}
		}
	}
	counts := make([]int, len(c.EmbeddedOnce))
	for i, p := range c.all {
		rest := p.embed
		for _, cell := range c.EveryHeader {
			_, after, ok := strings.Cut(rest, cell)
			if !ok {
				t.Errorf("chunk %d lacks the header cell %q", i, cell)
				break
			}
			rest = after
		}
		for _, s := range c.NotEmbedded {
			if strings.Contains(p.embed, s) {
				t.Errorf("chunk %d embeds %q", i, s)
			}
		}
		for j, s := range c.EmbeddedOnce {
			counts[j] += strings.Count(p.embed, s)
		}
	}
	for j, n := range counts {
		if n > 1 {
			t.Errorf("%q is embedded %d times", c.EmbeddedOnce[j], n)
		}
	}
}

// order checks that strings follow each other.
func (c *claim) order(t *testing.T) {
	t.Helper()
	var b strings.Builder
	for _, p := range c.all {
		b.WriteString(p.read + " ")
	}
	text, at := fold(b.String()), -1
	for _, s := range c.InOrder {
		i := strings.Index(text, fold(s))
		if i <= at {
			t.Errorf("out of order: %q", s)
		}
		at = i
	}
}

// said checks what the answer says beside its chunks: rows of tables, warnings, reasons for skipping.
func (c *claim) said(t *testing.T, a control.SplitAnswer) {
	t.Helper()
	var codes, reasons []string
	for _, w := range a.Warnings {
		codes = append(codes, w.Code)
	}
	for _, s := range a.Skipped {
		reasons = append(reasons, s.Reason)
	}
	if c.Warnings != nil && !slices.Equal(codes, *c.Warnings) {
		t.Errorf("warnings %q, want %q", codes, *c.Warnings)
	}
	if c.Skips != nil && !slices.Equal(reasons, *c.Skips) {
		t.Errorf("skipped for %q, want %q", reasons, *c.Skips)
	}
	if c.Records == nil {
		return
	}
	got := rows(a)
	if !slices.EqualFunc(got, c.Records, sameRow) {
		t.Errorf("records (-want +got):\n%s", cmp.Diff(c.Records, got))
	}
}

// rows is the cell values of all rows of tables, in order: a table's header rows come first.
func rows(a control.SplitAnswer) [][]string {
	var out [][]string
	if a.Units == nil {
		return nil
	}
	for _, u := range *a.Units {
		if u.Kind != "row" {
			continue
		}
		var row []string
		for _, cell := range u.Cells {
			row = append(row, cell.Value)
		}
		out = append(out, row)
	}
	return out
}

// sameRow compares a row with a wanted one; empty cells at the end do not count, and a last wanted "…" allows more.
func sameRow(got []string, want []choice) bool {
	if n := len(want); n > 0 && want[n-1][0] == "…" {
		want = want[:n-1]
		got = got[:min(len(got), n-1)]
	}
	for len(got) > 0 && got[len(got)-1] == "" {
		got = got[:len(got)-1]
	}
	for len(want) > 0 && want[len(want)-1][0] == "" {
		want = want[:len(want)-1]
	}
	return slices.EqualFunc(got, want, func(s string, any choice) bool { return slices.Contains(any, s) })
}
