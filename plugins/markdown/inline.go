package main

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

const (
	// maxInline is the longest text, in bytes, whose inline markup is parsed: the parser is quadratic in brackets and
	// emphasis in the worst case, and a name is read by people. A longer one keeps its markup.
	maxInline = 1024
	// maxName bounds a name in bytes: it stands on every chunk of its section.
	maxName = 4096
)

// inlineParser parses the inline content of one heading or cell as if it were a paragraph.
func inlineParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithInlineParsers(
			util.Prioritized(noteParser{}, 101),
			util.Prioritized(extension.NewStrikethroughParser(), 500),
		),
	)
}

// noteParser reads a reference to a defined footnote, which is no part of the text around it.
type noteParser struct{}

// Trigger implements parser.InlineParser.
func (noteParser) Trigger() []byte { return []byte{'['} }

// Parse implements parser.InlineParser.
func (noteParser) Parse(_ ast.Node, r text.Reader, pc parser.Context) ast.Node {
	labels, _ := pc.Get(footnotesKey).(map[string]bool)
	line, _ := r.PeekLine()
	label, n := footnoteLabel(line)
	if n == 0 || !labels[util.ToLinkReference(label)] {
		return nil
	}
	r.Advance(n)
	return ast.NewString(nil)
}

// namer gives the plain text of inline content: markup removed, escapes and character references resolved, an image as
// its description, white space collapsed. The context knows the document's link and footnote definitions.
type namer struct {
	inlines parser.Parser
	pc      parser.Context
}

// heading gives a heading's name.
func (n namer) heading(raw []byte) string {
	s := n.plain(raw)
	if len(s) <= maxName {
		return s
	}
	return strings.TrimSpace(strings.ToValidUTF8(s[:maxName], ""))
}

// cell gives a cell's value. A backslash before a pipe is the table's, also within a code span (GFM section 4.10).
func (n namer) cell(raw []byte) string {
	if bytes.Contains(raw, []byte(`\|`)) {
		raw = bytes.ReplaceAll(raw, []byte(`\|`), []byte("|"))
	}
	return n.plain(raw)
}

// markup holds the bytes that may begin inline markup.
const markup = "\\`*_[]<&!~"

func (n namer) plain(raw []byte) string {
	if len(raw) > maxInline || !bytes.ContainsAny(raw, markup) {
		return collapse(string(raw))
	}
	root := n.inlines.Parse(text.NewReader(raw), parser.WithContext(n.pc))
	var b strings.Builder
	for p := root.FirstChild(); p != nil; p = p.NextSibling() {
		writePlain(&b, p, raw)
	}
	return collapse(b.String())
}

// writePlain writes the text below n.
func writePlain(b *strings.Builder, n ast.Node, src []byte) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			writeText(b, c, n, src)
		case *ast.AutoLink:
			b.Write(c.Label(src))
		case *ast.RawHTML:
			if isBreak(c, src) {
				b.WriteByte(' ')
			}
		default:
			writePlain(b, c, src)
		}
	}
}

func writeText(b *strings.Builder, t *ast.Text, parent ast.Node, src []byte) {
	v := t.Segment.Value(src)
	if t.IsRaw() || parent.Kind() == ast.KindCodeSpan {
		b.Write(v)
	} else {
		writeUnescaped(b, v)
	}
	if t.SoftLineBreak() || t.HardLineBreak() {
		b.WriteByte(' ')
	}
}

// isBreak tells whether an inline tag is a line break.
func isBreak(n *ast.RawHTML, src []byte) bool {
	if n.Segments.Len() == 0 {
		return false
	}
	s := n.Segments.At(0)
	return len(s.Value(src)) >= 3 && bytes.EqualFold(s.Value(src)[:3], []byte("<br"))
}

// writeUnescaped resolves backslash escapes and character references (CommonMark sections 2.4 and 2.5).
func writeUnescaped(b *strings.Builder, v []byte) {
	for i := 0; i < len(v); i++ {
		switch {
		case v[i] == '\\' && i+1 < len(v) && util.IsPunct(v[i+1]):
			i++
			b.WriteByte(v[i])
		case v[i] == '&':
			n := reference(v[i:])
			b.Write(util.ResolveEntityNames(util.ResolveNumericReferences(v[i : i+n])))
			i += n - 1
		default:
			b.WriteByte(v[i])
		}
	}
}

// maxReference is the longest character reference: HTML's longest name has 31 letters.
const maxReference = 33

// reference is the length of what may be a character reference at the start of v, 1 where nothing can be.
func reference(v []byte) int {
	if n := bytes.IndexByte(v[:min(len(v), maxReference)], ';'); n > 0 {
		return n + 1
	}
	return 1
}

// collapse makes one blank of each run of white space and control characters, and trims. A byte order mark within a
// text has no width and goes.
func collapse(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		switch {
		case r == '\ufeff':
		case unicode.IsSpace(r), unicode.IsControl(r):
			blank = b.Len() > 0
		default:
			if blank {
				b.WriteByte(' ')
				blank = false
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}
