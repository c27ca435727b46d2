package sdktest

import (
	"slices"
	"strings"

	"github.com/cleave-project/cleave/sdk"
)

// units walks the pre-order with the open ancestors on a stack.
func (r *report) units(units []sdk.Unit, text []byte) {
	var open []*sdk.Unit   // by depth
	var before []*sdk.Unit // the last child met so far at each depth, to compare siblings
	for i := range units {
		u := &units[i]
		if u.Depth < 0 || u.Depth > len(open) {
			r.add(RuleDepth, u.Span.Start, "unit %d (%s) has depth %d after depth %d", i, u.Kind, u.Depth, len(open)-1)
			u = flattened(u, len(open))
		}
		open = open[:u.Depth]
		before = before[:min(len(before), u.Depth+1)]
		if r.span("unit "+string(u.Kind), u.Span, text) {
			r.place(u, open, before)
		}
		r.labels(u)
		r.family(units, i, open)
		r.context(u, text)
		r.cells(u, text)
		r.attrs(u)
		open = append(open, u)
		before = append(before[:min(len(before), u.Depth)], u)
	}
}

// flattened is u at the deepest place there is, so that the walk goes on.
func flattened(u *sdk.Unit, deepest int) *sdk.Unit {
	moved := *u
	moved.Depth = min(max(u.Depth, 0), deepest)
	return &moved
}

// place checks u against its parent and the sibling before it.
func (r *report) place(u *sdk.Unit, open, before []*sdk.Unit) {
	if len(open) > 0 {
		if parent := open[len(open)-1]; !parent.Span.Contains(u.Span) {
			r.add(RuleNested, u.Span.Start, "%s [%d,%d) leaves its parent %s [%d,%d)", u.Kind, u.Span.Start, u.Span.End,
				parent.Kind, parent.Span.Start, parent.Span.End)
		}
	}
	if len(before) > u.Depth {
		if sibling := before[u.Depth]; u.Span.Start < sibling.Span.End {
			r.add(RuleOrdered, u.Span.Start, "%s [%d,%d) begins before the sibling %s [%d,%d) ends", u.Kind, u.Span.Start,
				u.Span.End, sibling.Kind, sibling.Span.Start, sibling.Span.End)
		}
	}
}

// labels checks what stands on the unit itself.
func (r *report) labels(u *sdk.Unit) {
	if !slices.Contains(sdk.Kinds(), u.Kind) {
		r.add(RuleList, u.Span.Start, "kind %q", u.Kind)
	}
	if !slices.Contains(sdk.Cuts(), u.Cut) {
		r.add(RuleList, u.Span.Start, "cut %q of a %s", u.Cut, u.Kind)
	}
	if u.Name != strings.TrimSpace(u.Name) || strings.ContainsAny(u.Name, lineBreaks) {
		r.add(RuleName, u.Span.Start, "name %q of a %s", u.Name, u.Kind)
	}
	r.utf8("name", u.Span.Start, u.Name)
	r.utf8("lang", u.Span.Start, u.Lang)
}

// lineBreaks are Unicode's mandatory ones (UAX #14, classes BK, CR, LF and NL).
const lineBreaks = "\n\v\f\r\u0085\u2028\u2029"

// family checks sections and tables, which say what their children are.
func (r *report) family(units []sdk.Unit, i int, open []*sdk.Unit) {
	u := &units[i]
	if u.Kind == sdk.KindSection {
		if i+1 == len(units) || units[i+1].Depth != u.Depth+1 || units[i+1].Kind != sdk.KindHeading {
			r.add(RuleSection, u.Span.Start, "the first child of section %q is not a heading", u.Name)
		}
	}
	if len(open) > 0 && open[len(open)-1].Kind == sdk.KindTable && u.Kind != sdk.KindRow {
		r.add(RuleTable, u.Span.Start, "a %s is the child of a table", u.Kind)
	}
}

func (r *report) context(u *sdk.Unit, text []byte) {
	for _, c := range u.Context {
		r.span("context "+string(c.Role), c.Span, text)
		if !slices.Contains(sdk.Roles(), c.Role) {
			r.add(RuleList, c.Span.Start, "role %q", c.Role)
		}
	}
}

// cells may be empty, unlike everything else.
func (r *report) cells(u *sdk.Unit, text []byte) {
	if len(u.Cells) > 0 && u.Kind != sdk.KindRow {
		r.add(RuleTable, u.Span.Start, "a %s has cells", u.Kind)
	}
	end := u.Span.Start
	for i, c := range u.Cells {
		r.utf8("cell", c.Span.Start, c.Value)
		switch {
		case c.Span.Start < 0 || c.Span.End < c.Span.Start || c.Span.End > len(text):
			r.add(RuleRange, c.Span.Start, "cell %d [%d,%d) of %d bytes", i, c.Span.Start, c.Span.End, len(text))
			continue
		case !u.Span.Contains(c.Span):
			r.add(RuleNested, c.Span.Start, "cell %d [%d,%d) leaves its row [%d,%d)", i, c.Span.Start, c.Span.End,
				u.Span.Start, u.Span.End)
		case c.Span.Start < end:
			r.add(RuleOrdered, c.Span.Start, "cell %d [%d,%d) begins before the cell before it ends", i, c.Span.Start, c.Span.End)
		}
		r.boundary("cell", c.Span, text)
		end = c.Span.End
	}
}
