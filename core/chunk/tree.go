package chunk

import (
	"github.com/cleave-project/cleave/core/outline"
	"github.com/cleave-project/cleave/sdk"
)

// none is the index of no unit: what lies outside of all units.
const none = -1

// tree is an outline's units with what each inherits: for each unit the nearest unit, itself included, that has the
// property, or none.
type tree struct {
	units   []outline.Unit
	crumb   []int32 // adds an element to the breadcrumb
	context []int32 // brings context
	section []int32 // is a section
	key     []int32 // whose text joins with no other's: a named section or definition
	lang    []int32 // names a language
	opens   []bool  // holds a section or a border, so it is never an atom itself
}

func newTree(units []outline.Unit) tree {
	n := len(units)
	cells := make([]int32, 5*n)
	t := tree{units: units, crumb: cells[:n], context: cells[n : 2*n], section: cells[2*n : 3*n], key: cells[3*n : 4*n],
		lang: cells[4*n:], opens: make([]bool, n)}
	for i := range units {
		t.inherit(i)
	}
	for i := n - 1; i >= 0; i-- {
		t.opens[i] = t.opens[i] || t.isSection(i)
		if p := units[i].Parent; p >= 0 && (t.opens[i] || units[i].Border) {
			t.opens[p] = true
		}
	}
	return t
}

func (t *tree) inherit(i int) {
	u := &t.units[i]
	section, named := t.isSection(i), t.name(i) != ""
	t.crumb[i] = pick(named && u.Kind != sdk.KindHeading, i, t.crumb, u.Parent)
	t.context[i] = pick(len(u.Context) > 0, i, t.context, u.Parent)
	t.section[i] = pick(section, i, t.section, u.Parent)
	t.key[i] = pick(named && (section || isDefinition(u.Kind)), i, t.key, u.Parent)
	t.lang[i] = pick(u.Lang != "", i, t.lang, u.Parent)
}

func pick(own bool, i int, up []int32, parent int) int32 {
	switch {
	case own:
		return int32(i)
	case parent >= 0:
		return up[parent]
	}
	return none
}

// of is the entry of list for a unit that may be none.
func of(list []int32, unit int) int {
	if unit < 0 {
		return none
	}
	return int(list[unit])
}

func (t *tree) hasChildren(i int) bool { return t.units[i].End > i+1 }

// isSection holds for sections, sheets and slides, and for anything that has a heading of its own.
func (t *tree) isSection(i int) bool {
	switch u := &t.units[i]; u.Kind {
	case sdk.KindSection, sdk.KindSheet, sdk.KindSlide:
		return true
	default:
		return t.hasChildren(i) && t.units[i+1].Kind == sdk.KindHeading && u.Name != ""
	}
}

// isDefinition holds for code that has a name of its own; two definitions are two things, so they do not join (A1).
func isDefinition(k sdk.Kind) bool {
	switch k {
	case sdk.KindFunction, sdk.KindMethod, sdk.KindClass, sdk.KindType:
		return true
	}
	return false
}

// name is a unit's element of the breadcrumb; a section without a name has that of its heading.
func (t *tree) name(i int) string {
	u := &t.units[i]
	if u.Name == "" && u.Kind == sdk.KindSection && t.hasChildren(i) && t.units[i+1].Kind == sdk.KindHeading {
		return t.units[i+1].Name
	}
	return u.Name
}

// maxAround bounds how many units around one give it names and context: what people write nests a dozen deep, and
// without a bound a nest of a thousand sections would have a million elements in its breadcrumbs (I13). The innermost
// ones count.
const maxAround = 64

// breadcrumb is the names from the outermost unit down to unit.
func (t *tree) breadcrumb(unit int) []string {
	var names []string
	for c := of(t.crumb, unit); c >= 0 && len(names) < maxAround; c = of(t.crumb, t.units[c].Parent) {
		names = append(names, t.name(c))
	}
	for i, j := 0, len(names)-1; i < j; i, j = i+1, j-1 {
		names[i], names[j] = names[j], names[i]
	}
	return names
}

// around is the innermost unit that holds both a and b.
func (t *tree) around(a, b int) int {
	for a != b {
		if a < 0 || b < 0 {
			return none
		}
		if t.units[a].Depth >= t.units[b].Depth {
			a = t.units[a].Parent
		} else {
			b = t.units[b].Parent
		}
	}
	return a
}

// ancestor is the nearest unit of a kind around unit, itself included.
func (t *tree) ancestor(unit int, kind sdk.Kind) int {
	for unit >= 0 && t.units[unit].Kind != kind {
		unit = t.units[unit].Parent
	}
	return unit
}
