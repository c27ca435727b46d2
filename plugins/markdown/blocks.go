package main

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxNesting bounds how many blocks may be open at once. A line costs time and memory in proportion to it, and a file
// of 10,000 ">" must cost neither; text has been seen nested 10 deep. A deeper marker is text of the innermost block.
const maxNesting = 48

// blockParser finds blocks and leaves their inline content alone. The priorities are goldmark's own; a footnote
// definition comes before the paragraph that would hold it.
func blockParser() parser.Parser {
	exact := func(p parser.BlockParser, priority int) util.PrioritizedValue {
		return util.Prioritized(exactPos{p}, priority)
	}
	nesting := func(p parser.BlockParser, priority int) util.PrioritizedValue {
		return exact(bounded{matched{p}}, priority)
	}
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(setextParser{parser.NewSetextHeadingParser()}, 100),
			exact(parser.NewThematicBreakParser(), 200),
			nesting(listParser{parser.NewListParser()}, 300),
			exact(matched{parser.NewListItemParser()}, 400),
			exact(parser.NewCodeBlockParser(), 500),
			exact(parser.NewATXHeadingParser(), 600),
			exact(fenceParser{parser.NewFencedCodeBlockParser()}, 700),
			nesting(parser.NewBlockquoteParser(), 800),
			exact(htmlParser{parser.NewHTMLBlockParser()}, 900),
			nesting(footnoteParser{}, 950),
			util.Prioritized(paragraphParser{parser.NewParagraphParser()}, 1000),
		),
		parser.WithParagraphTransformers(
			// A table's header is one also where it reads like a definition.
			util.Prioritized(tableTransformer{}, 50),
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
		),
	)
}

// exactPos makes the position of a block an offset of the source where a tab was taken apart by a container: goldmark
// adds the blanks of the tab to it.
type exactPos struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (p exactPos) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	_, seg := r.Position()
	n, state := p.BlockParser.Open(parent, r, pc)
	if n != nil && seg.Padding > 0 {
		pc.SetBlockOffset(pc.BlockOffset() - seg.Padding)
	}
	return n, state
}

// bounded opens no container beyond maxNesting.
type bounded struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (p bounded) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if len(pc.OpenedBlocks()) >= maxNesting {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, r, pc)
}

// fenceEndsKey holds where closed fences end.
var fenceEndsKey = parser.NewContextKey()

// fenceParser remembers the closing line of each fence, which goldmark's tree leaves out.
type fenceParser struct{ parser.BlockParser }

// Continue implements parser.BlockParser. It is called for lines inside the fence's container alone, so Close means a
// closing fence (CommonMark section 4.5).
func (p fenceParser) Continue(n ast.Node, r text.Reader, pc parser.Context) parser.State {
	_, seg := r.PeekLine()
	state := p.BlockParser.Continue(n, r, pc)
	if state == parser.Close {
		ends := pc.ComputeIfAbsent(fenceEndsKey, func() any { return map[ast.Node]int{} }).(map[ast.Node]int)
		ends[n] = seg.Stop
	}
	return state
}

// fenceEnds gives the end of the closing line of each fence that has one.
func fenceEnds(pc parser.Context) map[ast.Node]int {
	ends, _ := pc.Get(fenceEndsKey).(map[ast.Node]int)
	return ends
}
