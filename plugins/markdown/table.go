package main

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/cleave-project/cleave/sdk"
	"github.com/cleave-project/cleave/sdk/table"
)

// kindTable is a GFM table whose cells have not been cut yet.
var kindTable = ast.NewNodeKind("GFMTable")

// tableNode keeps a table's lines only: goldmark's own makes a node for each cell, also for those a short row lacks, so
// that a wide header over many short rows takes the product of both.
type tableNode struct{ ast.BaseBlock }

// Kind implements ast.Node.
func (n *tableNode) Kind() ast.NodeKind { return kindTable }

// Dump implements ast.Node.
func (n *tableNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// IsRaw implements ast.Node.
func (n *tableNode) IsRaw() bool { return true }

// tableTransformer cuts a paragraph with a table in it: lines above the header stay a paragraph, and so do those behind.
type tableTransformer struct{}

// Transform implements parser.ParagraphTransformer.
func (tableTransformer) Transform(p *ast.Paragraph, _ text.Reader, pc parser.Context) {
	tab, ok := trackerOf(pc).tables[p]
	if !ok {
		return
	}
	lines := p.Lines()
	from, end := 0, lines.Len()
	for from < end && lines.At(from).Start < tab.start {
		from++
	}
	for i := from; i < end && tab.end > 0; i++ {
		if lines.At(i).Start >= tab.end {
			end = i
		}
	}
	if end-from >= 2 {
		insertTable(p, from, end)
	}
}

// isDelimiterOf tells whether delimiter is the delimiter row of header.
func isDelimiterOf(header, delimiter text.Segment, src []byte) bool {
	n := delimiters(lineBytes(delimiter, src))
	return n > 0 && n <= maxColumns && n == len(cells(lineBytes(header, src), n+1))
}

// insertTable makes a table of the lines from to end of p, and a paragraph of those behind.
func insertTable(p *ast.Paragraph, from, end int) {
	lines, parent := p.Lines(), p.Parent()
	t := &tableNode{}
	t.Lines().AppendAll(lines.Sliced(from, end))
	parent.InsertAfter(parent, p, t)
	if end < lines.Len() {
		rest := ast.NewParagraph()
		rest.Lines().AppendAll(lines.Sliced(end, lines.Len()))
		parent.InsertAfter(parent, t, rest)
	}
	lines.SetSliced(0, from)
	if from == 0 {
		parent.RemoveChild(parent, p)
	}
}

// lineBytes is the line's content without white space around it.
func lineBytes(s text.Segment, src []byte) []byte {
	span := trimmed(src, s.Start, s.Stop)
	return src[span.Start:span.End]
}

// delimiters counts the cells of a delimiter row, 0 where line is none. A row of dashes alone underlines a heading.
func delimiters(line []byte) int {
	if !bytes.ContainsAny(line, "|:") || len(bytes.Trim(line, "-:| \t")) > 0 {
		return 0
	}
	cs := cells(line, maxColumns+1)
	for _, c := range cs {
		if !isDelimiter(line[c.Start:c.End]) {
			return 0
		}
	}
	return len(cs)
}

// isDelimiter tells whether cell is dashes with or without a colon at either end.
func isDelimiter(cell []byte) bool {
	cell = bytes.TrimPrefix(cell, []byte{':'})
	cell = bytes.TrimSuffix(cell, []byte{':'})
	return len(cell) > 0 && len(bytes.Trim(cell, "-")) == 0
}

// maxColumns bounds the columns of a table; a row of pipes alone must not make a cell of each byte. Spreadsheets end at
// 16,384 columns, and what is written as Markdown is read by people.
const maxColumns = 16384

// cells cuts a row, trimmed, at each pipe without a backslash before it; a pipe at either end is none of the row's
// cells' (GFM section 4.10, example 200). The spans count bytes of line and hold no padding. It stops at limit cells.
func cells(line []byte, limit int) []sdk.Span {
	at := 0
	if len(line) > 0 && line[0] == '|' {
		at = 1
	}
	var cs []sdk.Span
	for i := at; i <= len(line) && len(cs) < limit; i++ {
		end := i == len(line)
		if !end && (line[i] != '|' || i > 0 && line[i-1] == '\\') {
			continue
		}
		if c := trimmed(line, at, i); !end || c.Len() > 0 {
			cs = append(cs, c)
		}
		at = i + 1
	}
	return cs
}

func trimmed(line []byte, start, end int) sdk.Span {
	for start < end && isSpace(line[start]) {
		start++
	}
	return sdk.Span{Start: start, End: trimEnd(line, start, end)}
}

// table adds the table n, which begins at start.
func (b *builder) table(n ast.Node, depth, start int) int {
	lines := n.Lines()
	rows := make([]table.Row, 0, lines.Len()-1)
	var columns []string
	for i := range lines.Len() {
		if i == 1 {
			continue // the delimiter row
		}
		r := b.row(lines.At(i), columns)
		if i == 0 {
			for _, c := range r.Cells {
				columns = append(columns, c.Value)
			}
		}
		if r.Span.Len() > 0 { // a line of vertical tabs is not blank and holds nothing
			rows = append(rows, r)
		}
	}
	delimiter := lines.At(1)
	last := lines.At(lines.Len() - 1)
	end := trimEnd(b.src, start, last.Stop)
	t := table.Table{
		Depth:   depth,
		Span:    b.span(start, end),
		Headers: []sdk.Span{{Start: rows[0].Span.Start, End: b.base + trimEnd(b.src, start, delimiter.Stop)}},
		Columns: columns,
		Keys:    table.FirstKey(len(columns)),
		Rows:    rows,
	}
	b.out.Units = t.Append(b.out.Units)
	b.warn(t.Warnings()...)
	return end
}

// row cuts one line into cells. Cells beyond the header's are ignored (GFM example 204): their bytes stay in the row.
func (b *builder) row(s text.Segment, columns []string) table.Row {
	span := trimmed(b.src, s.Start, s.Stop)
	line := b.src[span.Start:span.End]
	limit := maxColumns
	if columns != nil {
		limit = len(columns) + 1 // one more tells that the row is too long
	}
	cs := cells(line, limit)
	r := table.Row{Span: b.span(span.Start, span.End), Cells: make([]sdk.Cell, len(cs)), Found: len(cs)}
	for i, c := range cs {
		r.Cells[i] = sdk.Cell{Span: b.span(span.Start+c.Start, span.Start+c.End), Value: b.names.cell(line[c.Start:c.End])}
	}
	if columns != nil && len(cs) > len(columns) {
		r.Cells = r.Cells[:len(columns)]
	}
	return r
}
