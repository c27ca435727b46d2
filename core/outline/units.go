package outline

import (
	"strings"
	"unicode/utf8"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/sdk"
)

// level is an open unit on the path from the top to where the walk stands.
type level struct {
	unit int // -1: the text itself
	last int // end of its last child so far
}

// units checks the tree: depths, ranges, nesting, order. It never recurses, so depth costs memory and no stack.
func (c *checker) units(out *Outline, o sdk.Outline) *Error {
	if len(o.Units) > maxUnits {
		return broken(RuleCount, -1, 0, "%d units, at most %d are allowed", len(o.Units), maxUnits)
	}
	out.Units = make([]Unit, len(o.Units))
	open := []level{{unit: -1}}
	cells := 0
	for i := range o.Units {
		u := &o.Units[i]
		if u.Depth < 0 || u.Depth > len(open)-1 {
			return broken(RuleDepth, i, u.Span.Start, "depth %d after a unit of depth %d", u.Depth, len(open)-2)
		}
		open = closeTo(open, out.Units, u.Depth, i)
		if err := c.place(o.Units, i, &open[len(open)-1]); err != nil {
			return err
		}
		if cells += len(u.Cells); cells > maxCells {
			return broken(RuleCount, i, u.Span.Start, "more than %d cells", maxCells)
		}
		if err := c.unit(u, i, &out.Units[i]); err != nil {
			return err
		}
		out.Units[i].Parent = open[len(open)-1].unit
		open = append(open, level{unit: i, last: u.Span.Start})
	}
	closeTo(open, out.Units, 0, len(o.Units))
	return nil
}

// closeTo ends the units deeper than depth at index end.
func closeTo(open []level, units []Unit, depth, end int) []level {
	for len(open)-1 > depth {
		units[open[len(open)-1].unit].End = end
		open = open[:len(open)-1]
	}
	return open
}

// place checks where unit i lies: in the text, in its parent, after its elder sibling.
func (c *checker) place(units []sdk.Unit, i int, parent *level) *Error {
	s := units[i].Span
	if err := c.span(s, i, "unit"); err != nil {
		return err
	}
	if s.Len() == 0 {
		return broken(RuleEmpty, i, s.Start, "the unit holds nothing")
	}
	if parent.unit >= 0 && !units[parent.unit].Span.Contains(s) {
		p := units[parent.unit].Span
		return broken(RuleNesting, i, s.Start, "[%d,%d) lies outside its parent [%d,%d)", s.Start, s.End, p.Start, p.End)
	}
	if s.Start < parent.last {
		return broken(RuleOrder, i, s.Start, "begins before its elder sibling ends at %d", parent.last)
	}
	parent.last = s.End
	return nil
}

// unit checks what one unit says about itself.
func (c *checker) unit(u *sdk.Unit, i int, out *Unit) *Error {
	at := u.Span.Start
	if !c.lists.kinds[u.Kind] {
		return broken(RuleKind, i, at, "unit kind %.40q", u.Kind)
	}
	if !c.lists.cuts[u.Cut] {
		return broken(RuleKind, i, at, "cut %.40q", u.Cut)
	}
	if err := checkName(u.Name, i, at); err != nil {
		return err
	}
	if err := checkLang(u.Lang, i, at); err != nil {
		return err
	}
	*out = Unit{Span: c.shifted(u.Span), Depth: u.Depth, Kind: u.Kind, Cut: u.Cut, Clings: u.Clings, Border: u.Border,
		Name: clip(u.Name, MaxName), Lang: u.Lang}
	if err := c.contexts(u, i, out); err != nil {
		return err
	}
	if err := c.cells(u, i, out); err != nil {
		return err
	}
	return c.attrs(u, i, out)
}

func (c *checker) contexts(u *sdk.Unit, i int, out *Unit) *Error {
	if len(u.Context) > maxContexts {
		return broken(RuleCount, i, u.Span.Start, "%d contexts, at most %d are allowed", len(u.Context), maxContexts)
	}
	for _, x := range u.Context {
		if err := c.span(x.Span, i, "context"); err != nil {
			return err
		}
		if x.Span.Len() == 0 {
			return broken(RuleEmpty, i, x.Span.Start, "a context holds nothing")
		}
		if !c.lists.roles[x.Role] {
			return broken(RuleKind, i, x.Span.Start, "context role %.40q", x.Role)
		}
		out.Context = append(out.Context, Context{Span: c.shifted(x.Span), Role: x.Role})
	}
	return nil
}

func (c *checker) cells(u *sdk.Unit, i int, out *Unit) *Error {
	if len(u.Cells) == 0 {
		return nil
	}
	out.Cells = make([]Cell, len(u.Cells))
	last := u.Span.Start
	for j, cell := range u.Cells {
		if err := c.span(cell.Span, i, "cell"); err != nil {
			return err
		}
		if !u.Span.Contains(cell.Span) {
			return broken(RuleNesting, i, cell.Span.Start, "cell %d lies outside its row", j)
		}
		if cell.Span.Start < last {
			return broken(RuleOrder, i, cell.Span.Start, "cell %d begins before the one before it ends", j)
		}
		if !utf8.ValidString(cell.Value) {
			return broken(RuleText, i, cell.Span.Start, "the value of cell %d is not valid UTF-8", j)
		}
		last = cell.Span.End
		out.Cells[j] = Cell{Span: c.shifted(cell.Span), Value: cell.Value}
	}
	return nil
}

func checkName(name string, unit, at int) *Error {
	if name == "" {
		return nil
	}
	if !utf8.ValidString(name) || strings.TrimSpace(name) != name || strings.ContainsAny(name, "\r\n\v\f\u0085\u2028\u2029\uFEFF") {
		return broken(RuleName, unit, at, "name %.40q is not one trimmed line of UTF-8", name)
	}
	return nil
}

func checkLang(lang string, unit, at int) *Error {
	if len(lang) > maxLang || !utf8.ValidString(lang) || strings.ContainsAny(lang, " \t\r\n") {
		return broken(RuleName, unit, at, "language %.40q", lang)
	}
	return nil
}

// shifted is s in coordinates of the checked outline.
func (c *checker) shifted(s sdk.Span) object.Span {
	return object.Span{Start: int64(s.Start) + c.shift, End: int64(s.End) + c.shift}
}
