package main

import (
	"bytes"
	"regexp"

	"github.com/yuin/goldmark/ast"

	"github.com/cleave-project/cleave/sdk"
)

// maxLead is the longest lead-in, in bytes, that is repeated with pieces of what it leads to: a sentence of this length
// still says what follows; more of it would push the text itself out of the chunk.
const maxLead = 200

// lead is a paragraph that leads to the block next.
type lead struct {
	next    ast.Node
	clings  bool
	context []sdk.Context
}

// caption matches the start of a caption that stands above its table.
var caption = regexp.MustCompile(`(?i)^[*_>\s]*(table|tab\.|listing|tabelle|tableau|tabla|표|表)\s*\d`)

// leads tells how the paragraph n, of unit, belongs to the block after it. A line that ends in a colon keeps to the
// list, code or table it announces, and is repeated with pieces of a list or code; so is the text that begins an item,
// since what the item holds further is about it. A caption, and text right above a
// table, keeps to the table and is not repeated, since the header already is.
func (b *builder) leads(n ast.Node, unit, end int) lead {
	next := n.NextSibling()
	if next == nil {
		return lead{}
	}
	l := lead{next: next}
	span := b.out.Units[unit].Span
	raw := b.src[span.Start-b.base : span.End-b.base]
	says := announces(raw) || beginsItem(n)
	switch next.Kind() {
	case kindTable:
		l.clings = says || b.adjacent(n, end) || caption.Match(raw[:min(len(raw), 64)])
	case ast.KindList, ast.KindFencedCodeBlock, ast.KindCodeBlock:
		l.clings = says
		if says && len(raw) <= maxLead {
			l.context = []sdk.Context{{Span: span, Role: sdk.RoleLead}}
		}
	}
	return l
}

// beginsItem tells whether n is the first block of a list item.
func beginsItem(n ast.Node) bool {
	return n.PreviousSibling() == nil && n.Parent().Kind() == ast.KindListItem
}

// leadOf is the context that the paragraph before n gives it.
func (b *builder) leadOf(n ast.Node) []sdk.Context {
	if b.lead.next != n {
		return nil
	}
	return b.lead.context
}

// announces tells whether a text ends in a colon, whatever emphasis is around it.
func announces(raw []byte) bool {
	raw = bytes.TrimRight(raw, "*_ \t\r\n")
	return bytes.HasSuffix(raw, []byte(":")) || bytes.HasSuffix(raw, []byte("："))
}
