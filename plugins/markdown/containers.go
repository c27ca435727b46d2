package main

import (
	"github.com/yuin/goldmark/ast"

	"github.com/cleave-project/cleave/sdk"
)

// list adds a list and its items.
func (b *builder) list(n *ast.List, p place, start int) int {
	u := sdk.Unit{Depth: p.depth, Kind: sdk.KindList, Cut: sdk.CutChildren, Span: b.span(start, start),
		Context: b.leadOf(n)}
	if n.IsOrdered() {
		u.Attrs = map[sdk.AttrKey]string{sdk.AttrOrdered: "true"}
	}
	at := b.add(u)
	end, in := start, place{depth: p.depth + 1, line: lineStart(b.src, start), from: start}
	for c := n.FirstChild(); c != nil && !b.stopped(); c = c.NextSibling() {
		in.from = end
		end = b.container(c, sdk.KindItem, sdk.KindItem, in.depth, b.start(b.pos(c), in))
	}
	b.out.Units[at].Span.End = b.base + end
	return end
}

// container adds a quote, an item or a footnote definition with the blocks in it. One that holds a single paragraph is
// that paragraph, of kind single.
func (b *builder) container(n ast.Node, many, single sdk.Kind, depth, start int) int {
	first := n.FirstChild()
	if first == nil {
		return b.leaf(single, sdk.CutSentences, depth, start, lineEnd(b.src, b.pos(n)))
	}
	if first == n.LastChild() && isParagraph(first) {
		return b.leaf(single, sdk.CutSentences, depth, start, b.lastLine(first, b.pos(first)))
	}
	at := b.add(sdk.Unit{Depth: depth, Kind: many, Cut: sdk.CutChildren, Span: b.span(start, start)})
	end, in := start, place{depth: depth + 1, line: lineStart(b.src, b.pos(n))}
	for c := first; c != nil && !b.stopped(); c = c.NextSibling() {
		in.from = end
		c, end = b.block(c, in)
	}
	b.out.Units[at].Span.End = b.base + end
	return end
}

func isParagraph(n ast.Node) bool {
	return n.Kind() == ast.KindParagraph || n.Kind() == ast.KindTextBlock
}
