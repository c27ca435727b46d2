package main

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// htmlParser opens HTML blocks (CommonMark section 4.6) and leaves their continuation to goldmark, whose patterns for
// the first line walk a line of ten million bytes several times, and miss a tab behind a tag and "<!doctype".
type htmlParser struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (p htmlParser) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	at := pc.BlockOffset()
	if at < 0 || line[at] != '<' {
		return nil, parser.NoChildren
	}
	t := htmlBlockType(line[at:], ast.IsParagraph(pc.LastOpenedBlock().Node) && !inTable(pc))
	if t == 0 {
		return nil, parser.NoChildren
	}
	n := ast.NewHTMLBlock(t)
	n.Lines().Append(seg)
	r.AdvanceToEOL()
	return n, parser.NoChildren
}

// maxTag is the longest tag, in bytes, that is looked at as a whole line of its own. A longer one (an image in its
// attribute) is a paragraph: its bytes are kept either way.
const maxTag = 64 << 10

// aloneTag matches one complete open or closing tag with nothing but blanks behind it (CommonMark section 6.6).
var aloneTag = regexp.MustCompile(`^<(?:[A-Za-z][A-Za-z0-9-]*` +
	`(?:[ \t]+[A-Za-z_:][A-Za-z0-9_.:-]*(?:[ \t]*=[ \t]*(?:[^ \t\r\n"'=<>` + "`" + `]+|'[^'\n]*'|"[^"\n]*"))?)*` +
	`[ \t]*/?>|/[A-Za-z][A-Za-z0-9-]*[ \t]*>)[ \t]*\r?\n?$`)

// htmlBlockType gives the start condition that line, which begins with "<", meets, or 0. The last one cannot interrupt a
// paragraph.
func htmlBlockType(line []byte, paragraph bool) ast.HTMLBlockType {
	switch {
	case bytes.HasPrefix(line, []byte("<!--")):
		return ast.HTMLBlockType2
	case bytes.HasPrefix(line, []byte("<?")):
		return ast.HTMLBlockType3
	case bytes.HasPrefix(line, []byte("<![CDATA[")):
		return ast.HTMLBlockType5
	case len(line) > 2 && line[1] == '!' && isLetter(line[2]):
		return ast.HTMLBlockType4
	}
	name, closing, rest := tagName(line)
	switch {
	case name == "":
		return 0
	case !closing && rawTags[name] && (ends(rest) || rest[0] == '>'):
		return ast.HTMLBlockType1
	case blockTags[name] && (ends(rest) || rest[0] == '>' || bytes.HasPrefix(rest, []byte("/>"))):
		return ast.HTMLBlockType6
	case !paragraph && (closing || !rawTags[name]) && len(line) <= maxTag && aloneTag.Match(line):
		return ast.HTMLBlockType7
	}
	return 0
}

// maxTagName is longer than every name in the lists.
const maxTagName = 32

// tagName reads the name, in small letters, of the tag at the start of line, and what follows it.
func tagName(line []byte) (name string, closing bool, rest []byte) {
	at := 1
	if at < len(line) && line[at] == '/' {
		closing, at = true, at+1
	}
	end := at
	for end < len(line) && end-at < maxTagName && (isLetter(line[end]) || end > at && isNameByte(line[end])) {
		end++
	}
	return strings.ToLower(string(line[at:end])), closing, line[end:]
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

func isNameByte(b byte) bool { return b == '-' || '0' <= b && b <= '9' }

// ends tells whether a tag's name ends by white space or with the line.
func ends(rest []byte) bool { return len(rest) == 0 || isSpace(rest[0]) }

// rawTags are the names of start condition 1, whose content is raw text.
var rawTags = set("script", "pre", "style", "textarea")

// blockTags are the names of start condition 6.
var blockTags = set("address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col",
	"colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
	"frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend", "li",
	"link", "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param", "search", "section",
	"summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul")

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}
