package main

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// kindFootnote is a footnote definition: a container that stays where it was written.
var kindFootnote = ast.NewNodeKind("FootnoteDefinition")

type footnote struct{ ast.BaseBlock }

// Kind implements ast.Node.
func (n *footnote) Kind() ast.NodeKind { return kindFootnote }

// Dump implements ast.Node.
func (n *footnote) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// footnotesKey holds the labels of the footnotes defined in a document.
var footnotesKey = parser.NewContextKey()

// maxLabel is the longest label, in bytes (CommonMark section 4.7).
const maxLabel = 999

// footnoteParser reads footnote definitions as GitHub does: "[^label]:", the label without blanks and brackets, then
// blocks, on later lines indented by four columns.
type footnoteParser struct{}

// Trigger implements parser.BlockParser.
func (footnoteParser) Trigger() []byte { return []byte{'['} }

// Open implements parser.BlockParser.
func (footnoteParser) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	at := pc.BlockOffset()
	if at < 0 {
		return nil, parser.NoChildren
	}
	label, n := footnoteLabel(line[at:])
	if n == 0 || at+n >= len(line) || line[at+n] != ':' {
		return nil, parser.NoChildren
	}
	labels := pc.ComputeIfAbsent(footnotesKey, func() any { return map[string]bool{} }).(map[string]bool)
	labels[util.ToLinkReference(label)] = true
	r.Advance(at + n + 1 - seg.Padding)
	return &footnote{}, parser.HasChildren
}

// footnoteLabel reads "[^label]" at the start of line and gives the label and the length of the whole, or 0.
func footnoteLabel(line []byte) ([]byte, int) {
	if !bytes.HasPrefix(line, []byte("[^")) {
		return nil, 0
	}
	label := line[2:min(len(line), 2+maxLabel+1)]
	n := bytes.IndexAny(label, "] \t\r\n[")
	if n < 1 || label[n] != ']' {
		return nil, 0
	}
	return label[:n], n + 3
}

// Continue implements parser.BlockParser.
func (footnoteParser) Continue(_ ast.Node, r text.Reader, _ parser.Context) parser.State {
	line, _ := r.PeekLine()
	if util.IsBlank(line) {
		return parser.Continue | parser.HasChildren
	}
	pos, padding := util.IndentPosition(line, r.LineOffset(), 4)
	if pos < 0 {
		return parser.Close
	}
	r.AdvanceAndSetPadding(pos, padding)
	return parser.Continue | parser.HasChildren
}

// Close implements parser.BlockParser.
func (footnoteParser) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph implements parser.BlockParser.
func (footnoteParser) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (footnoteParser) CanAcceptIndentedLine() bool { return false }
