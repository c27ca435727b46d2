package chunk_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/token"
	"github.com/cleave-project/cleave/sdk"
)

// hostile is texts and outlines that make careless packers slow: each costs seconds or hours where a step is quadratic.
func hostile() map[string]func() ([]byte, sdk.Outline) {
	flat := func(text string, kind sdk.Kind, cut sdk.Cut) func() ([]byte, sdk.Outline) {
		return func() ([]byte, sdk.Outline) {
			return []byte(text), sdk.Outline{Units: []sdk.Unit{{Kind: kind, Cut: cut, Span: sdk.Span{End: len(text)}}}}
		}
	}
	line := "The line ends here but no blank line follows for a long time.\n"
	return map[string]func() ([]byte, sdk.Outline){
		"no blank line":     flat(strings.Repeat(line, 32000), sdk.KindParagraph, sdk.CutSentences),
		"no unit":           func() ([]byte, sdk.Outline) { return []byte(strings.Repeat(line, 32000)), sdk.Outline{} },
		"one letter":        flat(strings.Repeat("a", 200000), sdk.KindParagraph, sdk.CutSentences),
		"one line":          flat(strings.Repeat("word and word, ", 3<<20/15), sdk.KindParagraph, sdk.CutSentences),
		"one line of code":  flat(strings.Repeat("f(x);g[y]=z;", 1<<20/12), sdk.KindCode, sdk.CutLines),
		"one cluster":       flat("a"+strings.Repeat("\u0301", 200000), sdk.KindParagraph, sdk.CutSentences),
		"blanks":            flat("a"+strings.Repeat(" ", 1<<20)+"b", sdk.KindParagraph, sdk.CutSentences),
		"empty lines":       flat("a"+strings.Repeat("\n", 1<<20)+"b", sdk.KindCode, sdk.CutLines),
		"headings":          headings,
		"clinging":          func() ([]byte, sdk.Outline) { return siblings(100000, "item text\n", true) },
		"paragraphs":        func() ([]byte, sdk.Outline) { return siblings(100000, "A paragraph of some words.\n\n", false) },
		"rows":              rows,
		"one wide row":      func() ([]byte, sdk.Outline) { return wide(20000, 3) },
		"nested":            nested,
		"nested definition": nestedDefinitions,
	}
}

func siblings(n int, text string, cling bool) ([]byte, sdk.Outline) {
	var o sdk.Outline
	for i := range n {
		o.Units = append(o.Units, sdk.Unit{Kind: sdk.KindParagraph, Cut: sdk.CutSentences, Clings: cling,
			Span: sdk.Span{Start: i * len(text), End: (i+1)*len(text) - 1}})
	}
	return []byte(strings.Repeat(text, n)), o
}

func headings() ([]byte, sdk.Outline) {
	var o sdk.Outline
	var b bytes.Buffer
	for i := range 50000 {
		s := sdk.Span{Start: b.Len()}
		fmt.Fprintf(&b, "## Heading %d\n", i)
		s.End = b.Len()
		o.Units = append(o.Units,
			sdk.Unit{Kind: sdk.KindSection, Name: fmt.Sprintf("Heading %d", i), Cut: sdk.CutChildren, Span: s},
			sdk.Unit{Depth: 1, Kind: sdk.KindHeading, Cut: sdk.CutWords, Span: s, Clings: true})
	}
	return b.Bytes(), o
}

func rows() ([]byte, sdk.Outline) {
	const n = 100000
	o := sdk.Outline{Units: []sdk.Unit{{Kind: sdk.KindTable, Cut: sdk.CutChildren}}}
	var b bytes.Buffer
	for i := range n {
		s := sdk.Span{Start: b.Len()}
		fmt.Fprintf(&b, "%d,some,cells\n", i)
		s.End = b.Len() - 1
		o.Units = append(o.Units, sdk.Unit{Depth: 1, Kind: sdk.KindRow, Cut: sdk.CutCells, Span: s})
	}
	o.Units[0].Span = sdk.Span{End: b.Len()}
	o.Units[0].Context = []sdk.Context{{Span: o.Units[1].Span, Role: sdk.RoleHeader}}
	return b.Bytes(), o
}

// wide is a table of n columns.
func wide(n, rows int) ([]byte, sdk.Outline) {
	o := sdk.Outline{Units: []sdk.Unit{{Kind: sdk.KindTable, Cut: sdk.CutChildren, Attrs: map[sdk.AttrKey]string{sdk.AttrKeyColumns: "0"}}}}
	var b bytes.Buffer
	for r := range rows {
		u := sdk.Unit{Depth: 1, Kind: sdk.KindRow, Cut: sdk.CutCells, Span: sdk.Span{Start: b.Len()}}
		for c := range n {
			if c > 0 {
				b.WriteByte(',')
			}
			s := b.Len()
			fmt.Fprintf(&b, "r%dc%d", r, c)
			u.Cells = append(u.Cells, sdk.Cell{Span: sdk.Span{Start: s, End: b.Len()}})
		}
		u.Span.End = b.Len()
		b.WriteByte('\n')
		o.Units = append(o.Units, u)
	}
	o.Units[0].Span = sdk.Span{End: b.Len()}
	o.Units[0].Context = []sdk.Context{{Span: o.Units[1].Span, Role: sdk.RoleHeader}}
	return b.Bytes(), o
}

func nested() ([]byte, sdk.Outline) {
	const n = 100000
	var o sdk.Outline
	for i := range n {
		o.Units = append(o.Units, sdk.Unit{Depth: i, Kind: sdk.KindList, Cut: sdk.CutChildren, Span: sdk.Span{Start: i, End: 2*n + 1 - i}})
	}
	return []byte(strings.Repeat("[", n) + "1" + strings.Repeat("]", n)), o
}

func nestedDefinitions() ([]byte, sdk.Outline) {
	const n = 3000
	var o sdk.Outline
	text := []byte(strings.Repeat("class a:\n", n))
	for i := range n {
		s := sdk.Span{Start: 9 * i, End: len(text)}
		o.Units = append(o.Units, sdk.Unit{Depth: i, Kind: sdk.KindClass, Name: "a", Cut: sdk.CutChildren, Span: s,
			Context: []sdk.Context{{Span: sdk.Span{Start: 9 * i, End: 9*i + 8}, Role: sdk.RoleSignature}}})
	}
	return text, o
}

// Time is linear (S10, S41, S52, S53): the limit is far above what any of these takes on a slow core, and far below
// what a quadratic step would.
func TestHostileInputsTakeLinearTime(t *testing.T) {
	const limit = time.Minute
	tok, err := token.Open("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	for name, input := range hostile() {
		for _, p := range []object.Policy{structural(256, 0), structural(256, 64)} {
			t.Run(fmt.Sprintf("%s/%d", name, p.Overlap), func(t *testing.T) {
				raw, so := input()
				o := checked(t, raw, so)
				ctx, stop := context.WithTimeout(context.Background(), limit)
				defer stop()
				start := time.Now()
				got, err := chunk.Pack(ctx, o, p, tok)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%d bytes, %d units: %d chunks in %v", len(raw), len(so.Units), len(got.Chunks), time.Since(start))
				verify(t, o, p, tok, got)
			})
		}
	}
}
