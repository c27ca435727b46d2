package main

import (
	"bytes"
	"strconv"

	"github.com/yuin/goldmark/ast"

	"github.com/cleave-project/cleave/sdk"
)

// leaf adds a unit without children; one of white space alone is none.
func (b *builder) leaf(k sdk.Kind, c sdk.Cut, depth, start, end int) int {
	end = trimEnd(b.src, start, end)
	if end > start {
		b.add(sdk.Unit{Depth: depth, Kind: k, Cut: c, Span: b.span(start, end)})
	}
	return max(start, end)
}

// lastLine is the end of a block's last line, or of the line of offset at if it has none.
func (b *builder) lastLine(n ast.Node, at int) int {
	ls := n.Lines()
	if ls.Len() == 0 {
		return lineEnd(b.src, at)
	}
	return ls.At(ls.Len() - 1).Stop
}

func (b *builder) lines(n ast.Node, k sdk.Kind, depth, start int) int {
	units := len(b.out.Units)
	end := b.leaf(k, sdk.CutLines, depth, start, b.lastLine(n, start))
	if len(b.out.Units) > units {
		b.out.Units[units].Context = b.leadOf(n)
	}
	return end
}

func (b *builder) html(n *ast.HTMLBlock, depth, start int) int {
	end := b.lastLine(n, start)
	if n.HasClosure() {
		end = n.ClosureLine.Stop
	}
	units := len(b.out.Units)
	end = b.leaf(sdk.KindHTML, sdk.CutLines, depth, start, end)
	if len(b.out.Units) > units && n.HTMLBlockType == ast.HTMLBlockType2 && b.adjacent(n, end) {
		b.out.Units[units].Clings = true // a comment is about what follows without a blank line
	}
	return end
}

// adjacent tells whether a block follows n on the line after end.
func (b *builder) adjacent(n ast.Node, end int) bool {
	next := n.NextSibling()
	return next != nil && lineStart(b.src, b.pos(next)) == lineEnd(b.src, end)+1
}

// heading adds a heading; its section carries the name.
func (b *builder) heading(h *ast.Heading, depth, start int) int {
	end := lineEnd(b.src, h.Pos())
	if ls := h.Lines(); isSetext(h) {
		end = lineEnd(b.src, lineEnd(b.src, ls.At(ls.Len()-1).Stop-1)+1)
	}
	end = trimEnd(b.src, start, end)
	b.add(sdk.Unit{Depth: depth, Kind: sdk.KindHeading, Cut: sdk.CutSentences, Clings: true, Span: b.span(start, end),
		Attrs: b.level(h.Level)})
	return end
}

func (b *builder) level(n int) map[sdk.AttrKey]string {
	if b.levels[n] == nil {
		b.levels[n] = map[sdk.AttrKey]string{sdk.AttrLevel: strconv.Itoa(n)}
	}
	return b.levels[n]
}

// isSetext tells an underlined heading from one with #s: its text begins where the heading does.
func isSetext(h *ast.Heading) bool {
	return h.Lines().Len() > 0 && h.Lines().At(0).Start <= h.Pos()
}

// headingText is a heading's content, its lines joined.
func (b *builder) headingText(h *ast.Heading) []byte {
	var raw []byte
	for i := range h.Lines().Len() {
		s := h.Lines().At(i)
		line := bytes.TrimSpace(s.Value(b.src))
		if i > 0 {
			raw = append(raw, '\n')
		}
		raw = append(raw, line...)
	}
	return raw
}

// paragraph adds a paragraph, which keeps to what it leads to.
func (b *builder) paragraph(n ast.Node, depth, start int) int {
	units := len(b.out.Units)
	end := b.leaf(sdk.KindParagraph, sdk.CutSentences, depth, start, b.lastLine(n, start))
	if len(b.out.Units) > units {
		b.lead = b.leads(n, units, end)
		b.out.Units[units].Clings = b.lead.clings
	}
	return end
}

// definitions adds a run of link reference definitions (CommonMark section 4.7), which render as nothing and are kept
// in their section, each whole.
func (b *builder) definitions(n ast.Node, depth, start int) (ast.Node, int) {
	end := trimEnd(b.src, start, b.lastLine(n, start))
	for {
		next := n.NextSibling()
		if next == nil || next.Kind() != ast.KindLinkReferenceDefinition || !b.adjacent(n, end) {
			break
		}
		n = next
		end = trimEnd(b.src, start, b.lastLine(n, b.pos(n)))
	}
	return n, b.leaf(sdk.KindText, sdk.CutLines, depth, start, end)
}
