package chunk_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/outline"
	"github.com/cleave-project/cleave/core/token"
	"github.com/cleave-project/cleave/sdk"
)

// node is a unit in the making: its own text, or its children's, each followed by its gap.
type node struct {
	unit    sdk.Unit
	text    string
	gap     string
	kids    []node
	context []sdk.Role // the unit's first line, under each role
	cells   string     // what separates a row's cells
}

func leaf(kind sdk.Kind, cut sdk.Cut, text string) node {
	return node{unit: sdk.Unit{Kind: kind, Cut: cut}, text: text, gap: "\n\n"}
}

func par(text string) node     { return leaf(sdk.KindParagraph, sdk.CutSentences, text) }
func code(text string) node    { return leaf(sdk.KindCode, sdk.CutLines, text) }
func heading(text string) node { return leaf(sdk.KindHeading, sdk.CutWords, text) }

func section(name string, kids ...node) node {
	h := heading("# " + name)
	h.unit.Clings = true
	return node{unit: sdk.Unit{Kind: sdk.KindSection, Name: name, Cut: sdk.CutChildren}, kids: append([]node{h}, kids...)}
}

func list(kind sdk.Kind, kids ...node) node {
	for i := range kids {
		kids[i].gap = "\n"
	}
	return node{unit: sdk.Unit{Kind: kind, Cut: sdk.CutChildren}, kids: kids, gap: "\n"}
}

func clinging(n node) node { n.unit.Clings = true; return n }
func border(n node) node   { n.unit.Border = true; return n }

// with is the row n whose cells are separated so.
func (n node) with(cells string) node { n.cells = cells; return n }

func named(name string, n node) node { n.unit.Name = name; return n }

// table is a table of lines with cells between bars; the first line is the header, the first column the key.
func table(lines ...string) node {
	t := list(sdk.KindTable)
	t.unit.Attrs = map[sdk.AttrKey]string{sdk.AttrKeyColumns: "0", sdk.AttrRows: fmt.Sprint(len(lines) - 1),
		sdk.AttrColumns: `["` + strings.Join(strings.Split(lines[0], " | "), `","`) + `"]`}
	t.context = []sdk.Role{sdk.RoleHeader}
	for i, l := range lines {
		r := leaf(sdk.KindRow, sdk.CutCells, l)
		r.gap, r.cells = "\n", " | "
		if i > 0 {
			r.unit.Attrs = map[sdk.AttrKey]string{sdk.AttrRow: fmt.Sprint(i)}
		}
		t.kids = append(t.kids, r)
	}
	return t
}

// written is a text and outline made from nodes.
type written struct {
	text strings.Builder
	o    sdk.Outline
}

func (w *written) put(depth int, n node) {
	i := len(w.o.Units)
	u := n.unit
	u.Depth, u.Span.Start = depth, w.text.Len()
	w.o.Units = append(w.o.Units, u)
	w.text.WriteString(n.text)
	for _, kid := range n.kids {
		w.put(depth+1, kid)
	}
	end := len(strings.TrimRight(w.text.String(), "\n"))
	u.Span.End = end
	first, _, _ := strings.Cut(w.text.String()[u.Span.Start:], "\n")
	for _, role := range n.context {
		u.Context = append(u.Context, sdk.Context{Span: sdk.Span{Start: u.Span.Start, End: u.Span.Start + len(first)}, Role: role})
	}
	if n.cells != "" {
		at := u.Span.Start
		for cell := range strings.SplitSeq(n.text, n.cells) {
			u.Cells = append(u.Cells, sdk.Cell{Span: sdk.Span{Start: at, End: at + len(cell)}, Value: cell})
			at += len(cell) + len(n.cells)
		}
	}
	w.o.Units[i] = u
	w.text.WriteString(n.gap)
}

func write(nodes ...node) *written {
	w := &written{}
	for _, n := range nodes {
		w.put(0, n)
	}
	return w
}

// packed packs a document counted in words, and holds the result against the package's promises.
func packed(t *testing.T, p object.Policy, w *written) (*outline.Outline, []object.Chunk) {
	t.Helper()
	o := checked(t, []byte(w.text.String()), w.o)
	got, err := chunk.Pack(context.Background(), o, p, token.Words{})
	if err != nil {
		t.Fatal(err)
	}
	verify(t, o, p, token.Words{}, got)
	return o, got.Chunks
}

// embedded is the embedding texts of chunks.
func embedded(o *outline.Outline, chunks []object.Chunk) []string {
	var out []string
	for _, c := range chunks {
		out = append(out, string(chunk.EmbedText(o.Title, o.Titled, c, o.Text)))
	}
	return out
}
