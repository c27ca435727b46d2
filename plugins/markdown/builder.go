package main

import (
	"github.com/yuin/goldmark/ast"

	"github.com/cleave-project/cleave/sdk"
)

// builder turns a tree of blocks into units. Its own offsets count bytes of src; what it writes to out counts bytes of
// the content, base further on.
type builder struct {
	// ended tells why to stop: it is the context's Err.
	ended    func() error
	src      []byte
	base     int
	out      *sdk.Outline
	names    namer
	fences   map[ast.Node]int
	sections []section
	lead     lead
	// levels are the attributes of headings, shared by all of a level.
	levels [7]map[sdk.AttrKey]string
}

// section is a section that is open: the index of its unit, and its level.
type section struct{ unit, level int }

func (b *builder) span(start, end int) sdk.Span {
	return sdk.Span{Start: b.base + start, End: b.base + end}
}

func (b *builder) add(u sdk.Unit) int {
	b.out.Units = append(b.out.Units, u)
	return len(b.out.Units) - 1
}

// maxWarnings bounds the warnings of one document: whoever reads them needs no more to see what is wrong.
const maxWarnings = 1000

func (b *builder) warn(ws ...sdk.Warning) {
	n := max(0, min(len(ws), maxWarnings-len(b.out.Warnings)))
	b.out.Warnings = append(b.out.Warnings, ws[:n]...)
}

// stopped tells that no more blocks are wanted: ctx has ended, or there are too many units.
func (b *builder) stopped() bool { return len(b.out.Units) > maxUnits || b.ended() != nil }

// document adds the blocks of the whole document, each within the section it stands in.
func (b *builder) document(root ast.Node) {
	at := 0
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if b.stopped() {
			return
		}
		if h, ok := n.(*ast.Heading); ok {
			b.open(h)
		}
		n, at = b.block(n, place{depth: len(b.sections), line: -1, from: at})
	}
	b.closeSections(0, len(b.src))
}

// open closes the sections that a heading ends and opens its own: a heading's section ends where the next of the same
// or a higher level begins, so that two of the third level under one of the first are siblings.
func (b *builder) open(h *ast.Heading) {
	start := lineStart(b.src, h.Pos())
	b.closeSections(h.Level, start)
	name := b.names.heading(b.headingText(h))
	if b.out.Title == "" {
		b.out.Title = name
	}
	i := b.add(sdk.Unit{Depth: len(b.sections), Kind: sdk.KindSection, Span: b.span(start, start), Name: name,
		Cut: sdk.CutChildren})
	b.sections = append(b.sections, section{i, h.Level})
}

// closeSections ends at offset end all open sections of this level and below.
func (b *builder) closeSections(level, end int) {
	for n := len(b.sections); n > 0 && b.sections[n-1].level >= level; n-- {
		b.out.Units[b.sections[n-1].unit].Span.End = b.base + end
		b.sections = b.sections[:n-1]
	}
}

// finish says what can be said only of the whole. It refuses a document of too many units.
func (b *builder) finish() error {
	if len(b.out.Units) > maxUnits {
		return sdk.Errorf(sdk.CodeTooLarge, "more than %d blocks of Markdown: split the file", maxUnits)
	}
	if len(b.out.Units) == 0 {
		b.warn(sdk.Warning{Code: sdk.WarnEmpty, Message: "no text"})
	}
	return nil
}

// place is where a block goes: its depth, the start of the line on which its parent begins (-1: none), and the end of
// what came before it.
type place struct{ depth, line, from int }

// start is where a block at offset at begins: with its line, and the markers of its containers on that line, unless its
// parent begins there too.
func (b *builder) start(at int, p place) int {
	if s := lineStart(b.src, at); s > p.line {
		return max(s, p.from)
	}
	return max(at, p.from)
}

// block adds the block n, and gives the last node it took and the end of it.
func (b *builder) block(n ast.Node, p place) (ast.Node, int) {
	start := b.start(b.pos(n), p)
	switch n := n.(type) {
	case *ast.Heading:
		return n, b.heading(n, p.depth, start)
	case *ast.List:
		return n, b.list(n, p, start)
	case *ast.Blockquote:
		return n, b.container(n, sdk.KindQuote, sdk.KindQuote, p.depth, start)
	case *ast.FencedCodeBlock:
		return n, b.fence(n, p.depth, start)
	case *ast.CodeBlock:
		return n, b.lines(n, sdk.KindCode, p.depth, start)
	case *ast.HTMLBlock:
		return n, b.html(n, p.depth, start)
	case *ast.ThematicBreak:
		return n, b.leaf(sdk.KindText, sdk.CutLines, p.depth, start, lineEnd(b.src, n.Pos()))
	case *ast.LinkReferenceDefinition:
		return b.definitions(n, p.depth, start)
	case *footnote:
		return n, b.container(n, sdk.KindItem, sdk.KindParagraph, p.depth, start)
	case *tableNode:
		return n, b.table(n, p.depth, start)
	}
	return n, b.paragraph(n, p.depth, start)
}

// pos is the offset of a block's first byte that is no container's.
func (b *builder) pos(n ast.Node) int {
	if at := n.Pos(); at >= 0 {
		return at
	}
	if ls := n.Lines(); ls.Len() > 0 {
		return ls.At(0).Start
	}
	return 0
}
