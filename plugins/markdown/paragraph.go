package main

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A paragraph becomes a table once a delimiter row stands under a line with as many cells (GFM section 4.10). Whether a
// line may be a part of it is known only while it is read: a lazy line (CommonMark section 5.1) is none, and one indented
// by four columns ends it. So paragraphs note where their table is as they grow.

// tableLines are the offsets at which the lines of a paragraph's table begin and end; end is 0 while it goes on.
type tableLines struct{ start, end int }

// tracker is what is known of the line being read and of the paragraphs so far.
type tracker struct {
	line      int
	container ast.Node
	header    header
	tables    map[ast.Node]tableLines
}

// header is the last line of the open paragraph that may be a table's header.
type header struct {
	paragraph ast.Node
	line      text.Segment
}

var trackerKey = parser.NewContextKey()

func trackerOf(pc parser.Context) *tracker {
	return pc.ComputeIfAbsent(trackerKey, func() any {
		return &tracker{tables: map[ast.Node]tableLines{}}
	}).(*tracker)
}

// matched notes that a line belongs to a container; containers are asked from the outside in.
type matched struct{ parser.BlockParser }

// Continue implements parser.BlockParser.
func (p matched) Continue(n ast.Node, r text.Reader, pc parser.Context) parser.State {
	state := p.BlockParser.Continue(n, r, pc)
	if state&parser.Continue != 0 {
		t := trackerOf(pc)
		t.line, _ = r.Position()
		t.container = n
	}
	return state
}

// paragraphParser notes the tables in paragraphs.
type paragraphParser struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (p paragraphParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	_, seg := r.Position()
	n, state := p.BlockParser.Open(parent, r, pc)
	if n != nil {
		trackerOf(pc).header = header{n, seg}
	}
	return n, state
}

// Continue implements parser.BlockParser.
func (p paragraphParser) Continue(n ast.Node, r text.Reader, pc parser.Context) parser.State {
	line, seg := r.PeekLine()
	w, _ := util.IndentWidth(line, r.LineOffset())
	number, _ := r.Position()
	state := p.BlockParser.Continue(n, r, pc)
	if state&parser.Continue != 0 {
		t := trackerOf(pc)
		t.add(n, seg, w < 4 && !t.isLazy(n, number), r.Source())
	}
	return state
}

// isLazy tells whether a line that goes on the paragraph n does not belong to its container.
func (t *tracker) isLazy(n ast.Node, line int) bool {
	parent := n.Parent()
	return parent != nil && parent.Kind() != ast.KindDocument && (t.line != line || t.container != parent)
}

// add notes a further line of the paragraph n, which may be a part of a table or not.
func (t *tracker) add(n ast.Node, line text.Segment, may bool, src []byte) {
	tab, ok := t.tables[n]
	switch {
	case ok && tab.end == 0 && !may:
		tab.end = line.Start
		t.tables[n] = tab
	case !ok && may && t.header.paragraph == n && isDelimiterOf(t.header.line, line, src):
		t.tables[n] = tableLines{start: t.header.line.Start}
	}
	t.header = header{}
	if may {
		t.header = header{n, line}
	}
}

// inTable tells whether the innermost open block is a table for now. What cannot interrupt a paragraph can end one.
func inTable(pc parser.Context) bool {
	tab, ok := trackerOf(pc).tables[pc.LastOpenedBlock().Node]
	return ok && tab.end == 0
}

// setextParser underlines no paragraph that holds a table: "===" is a row of it. Behind a table that has ended, the
// underline would make a heading of the table's lines too, so there it is text.
type setextParser struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (p setextParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if _, holds := trackerOf(pc).tables[pc.LastOpenedBlock().Node]; holds {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, r, pc)
}

// listParser lets an empty item, and a number other than 1, end a table.
type listParser struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (p listParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if inTable(pc) {
		pc = noParagraph{pc}
	}
	return p.BlockParser.Open(parent, r, pc)
}

// noParagraph is a context whose innermost open block is not told.
type noParagraph struct{ parser.Context }

// LastOpenedBlock implements parser.Context.
func (noParagraph) LastOpenedBlock() parser.Block { return parser.Block{} }
