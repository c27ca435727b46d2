package main

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/cleave-project/cleave/sdk"
)

// fence adds a fenced code block, its fences included. One that is never closed runs to the end of its container
// (CommonMark section 4.5) and is reported.
func (b *builder) fence(n *ast.FencedCodeBlock, depth, start int) int {
	end, closed := b.fences[n]
	if !closed {
		end = b.lastLine(n, n.Pos())
	}
	end = trimEnd(b.src, start, end)
	u := sdk.Unit{Depth: depth, Kind: sdk.KindCode, Cut: sdk.CutLines, Span: b.span(start, end), Context: b.leadOf(n)}
	if n.Info != nil {
		raw := n.Info.Segment.Value(b.src)
		info := collapse(string(raw[:min(len(raw), maxInfo)]))
		u.Attrs = map[sdk.AttrKey]string{sdk.AttrInfo: info}
		u.Lang = infoLang(info)
	}
	b.add(u)
	if !closed {
		b.warn(sdk.Warning{Code: sdk.WarnUnclosedFence, Span: u.Span,
			Message: "a fence that is never closed: all that follows in its container is code"})
	}
	return end
}

// maxInfo bounds what is kept of an info string, in bytes; real ones are a word or a short list of options.
const maxInfo = 256

// infoLang is the language that an info string names: its first word, without what is written around or behind it
// ("{.python .numberLines}", "rust,ignore", "ts:main.ts"). What does not look like a language's name is none.
func infoLang(info string) string {
	return strings.ToLower(langName.FindString(strings.TrimLeft(info, "{. ")))
}

// langName matches the name of a language or a file name extension. The longest known are under 30 letters.
var langName = regexp.MustCompile(`^[\p{L}\p{N}_][\p{L}\p{N}_+#.*-]{0,31}`)
