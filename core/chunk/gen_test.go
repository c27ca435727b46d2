package chunk_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/cleave-project/cleave/sdk"
)

// vocabulary is words of several scripts, with what makes cutting hard: joiners, marks, identifiers, long runs, spaces
// that do not break.
var vocabulary = []string{"the", "pump", "valve", "opens.", "closes!", "Is", "it", "safe?", "Dr.", "3.5", "bar,", "e.g.",
	"हिन्दी", "क्षत्रिय", "नमस्ते।", "ภาษาไทย", "这台机器运行了十年。", "最高温度", "このポンプは", "安全ですか？", "👩‍👩‍👧‍👦", "🇩🇪🇫🇷", "e\u0301te\u0301",
	"fooBarBaz_quux", "/usr/lib", "//", "x\u00a0y", "ZGVhZGJlZWY0NTY3ODkwMTIzNDU2Nzg5MGFiY2RlZg==", "a", "I", "한국어", "عربي؟", "#", "- ", "'s", "…"}

// maker writes a text and the units that describe it, together.
type maker struct {
	t     *rapid.T
	text  strings.Builder
	units []sdk.Unit
	skips []sdk.Skip
}

func (m *maker) pos() int { return m.text.Len() }

func (m *maker) n(lo, hi int, label string) int { return rapid.IntRange(lo, hi).Draw(m.t, label) }

func (m *maker) chance(percent int, label string) bool { return m.n(0, 99, label) < percent }

func (m *maker) words(lo, hi int) string {
	n := m.n(lo, hi, "words")
	out := make([]string, n)
	for i := range out {
		out[i] = rapid.SampledFrom(vocabulary).Draw(m.t, "word")
	}
	return strings.Join(out, rapid.SampledFrom([]string{" ", " ", " ", "\n", "  ", "\r\n", ""}).Draw(m.t, "joint"))
}

// unit adds a unit whose content body writes.
func (m *maker) unit(u sdk.Unit, body func()) int {
	i := len(m.units)
	u.Span.Start = m.pos()
	m.units = append(m.units, u)
	body()
	if m.pos() == u.Span.Start {
		m.text.WriteString("x")
	}
	m.units[i].Span.End = m.pos()
	return i
}

func (m *maker) gap() {
	m.text.WriteString(rapid.SampledFrom([]string{"\n\n", "\n", "\r\n\r\n", "\n   \n", " \n\n\n"}).Draw(m.t, "gap"))
	if m.chance(4, "skip") {
		start := m.pos()
		m.text.WriteString("SKIPPED ✂ bytes\n")
		m.skips = append(m.skips, sdk.Skip{Span: sdk.Span{Start: start, End: m.pos()}, Reason: sdk.SkipBoilerplate})
	}
}

func (m *maker) leaf(depth int, kind sdk.Kind, cut sdk.Cut, lo, hi int) {
	m.unit(sdk.Unit{Depth: depth, Kind: kind, Cut: cut, Clings: m.chance(10, "clings"), Border: m.chance(4, "border")}, func() {
		m.text.WriteString(m.words(lo, hi))
	})
}

func (m *maker) section(depth int) {
	name := fmt.Sprintf("S%d %s", len(m.units), strings.Join(strings.Fields(m.words(0, 8)), " "))
	name = strings.TrimSpace(name)
	m.unit(sdk.Unit{Depth: depth, Kind: sdk.KindSection, Name: name, Cut: sdk.CutChildren}, func() {
		m.unit(sdk.Unit{Depth: depth + 1, Kind: sdk.KindHeading, Cut: sdk.CutWords, Clings: true}, func() {
			m.text.WriteString("# " + name)
		})
		for range m.n(0, 4, "blocks") {
			m.gap()
			m.block(depth + 1)
		}
	})
}

func (m *maker) block(depth int) {
	if depth > 5 {
		m.leaf(depth, sdk.KindParagraph, sdk.CutSentences, 1, 20)
		return
	}
	switch m.n(0, 8, "block") {
	case 0, 1:
		m.section(depth)
	case 2:
		m.table(depth)
	case 3:
		m.unit(sdk.Unit{Depth: depth, Kind: sdk.KindList, Cut: sdk.CutChildren}, func() {
			for i := range m.n(1, 5, "items") {
				if i > 0 {
					m.text.WriteString("\n")
				}
				m.leaf(depth+1, sdk.KindItem, sdk.CutChildren, 1, 30)
			}
		})
	case 4:
		m.class(depth)
	case 5:
		m.leaf(depth, sdk.KindCode, sdk.CutLines, 1, 60)
	case 6:
		m.leaf(depth, sdk.KindHTML, sdk.CutNever, 1, 30)
	default:
		m.leaf(depth, sdk.KindParagraph, sdk.CutSentences, 1, 60)
	}
}

func (m *maker) class(depth int) {
	m.unit(sdk.Unit{Depth: depth, Kind: sdk.KindClass, Name: fmt.Sprintf("C%d", len(m.units)), Cut: sdk.CutChildren}, func() {
		own := len(m.units) - 1
		start := m.pos()
		m.text.WriteString("class " + strings.Join(strings.Fields(m.words(1, 6)), " ") + ":")
		m.units[own].Context = []sdk.Context{{Span: sdk.Span{Start: start, End: m.pos()}, Role: sdk.RoleSignature}}
		for range m.n(1, 4, "methods") {
			m.text.WriteString("\n    ")
			m.leaf(depth+1, sdk.KindMethod, sdk.CutLines, 1, 40)
			m.units[len(m.units)-1].Name = fmt.Sprintf("m%d", len(m.units))
		}
	})
}

func (m *maker) table(depth int) {
	cols := m.n(1, 6, "columns")
	keys := ""
	if m.chance(50, "keyed") {
		keys = "0"
	}
	m.unit(sdk.Unit{Depth: depth, Kind: sdk.KindTable, Cut: sdk.CutChildren, Attrs: map[sdk.AttrKey]string{sdk.AttrKeyColumns: keys}}, func() {
		own := len(m.units) - 1
		start := m.pos()
		m.row(depth+1, cols, 1, "")
		m.units[own].Context = []sdk.Context{{Span: sdk.Span{Start: start, End: m.pos()}, Role: sdk.RoleHeader}}
		for i := range m.n(0, 6, "rows") {
			m.text.WriteString("\n")
			m.row(depth+1, cols, 12, fmt.Sprint(i+1))
		}
	})
}

func (m *maker) row(depth, cols, words int, number string) {
	var attrs map[sdk.AttrKey]string
	if number != "" {
		attrs = map[sdk.AttrKey]string{sdk.AttrRow: number}
	}
	i := m.unit(sdk.Unit{Depth: depth, Kind: sdk.KindRow, Cut: sdk.CutCells, Attrs: attrs}, func() {
		own := len(m.units) - 1
		for c := range cols {
			if c > 0 {
				m.text.WriteString(",")
			}
			quote := m.chance(30, "quote")
			if quote {
				m.text.WriteString(`"`)
			}
			start := m.pos()
			m.text.WriteString(strings.Join(strings.Fields(m.words(0, words)), " "))
			m.units[own].Cells = append(m.units[own].Cells, sdk.Cell{Span: sdk.Span{Start: start, End: m.pos()}})
			if quote {
				m.text.WriteString(`"`)
			}
		}
	})
	m.units[i].Span.End = m.pos()
}

// document is a text and its outline.
func document(t *rapid.T) ([]byte, sdk.Outline) {
	m := &maker{t: t}
	for i := range m.n(0, 6, "top") {
		if i > 0 {
			m.gap()
		}
		m.block(0)
	}
	if m.chance(50, "tail") {
		m.text.WriteString("\n")
	}
	o := sdk.Outline{Units: m.units, Skips: m.skips}
	if m.chance(30, "titled") {
		o.Title = "Title of the whole thing"
	}
	return []byte(m.text.String()), o
}
