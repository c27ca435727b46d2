package main

import (
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
		info := collapse(string(n.Info.Segment.Value(b.src)))
		u.Attrs = map[sdk.AttrKey]string{sdk.AttrInfo: info}
		u.Lang = infoLang(info)
	}
	b.add(u)
	if !closed {
		b.out.Warnings = append(b.out.Warnings, sdk.Warning{Code: sdk.WarnUnclosedFence, Span: u.Span,
			Message: "a fence that is never closed: all that follows in its container is code"})
	}
	return end
}

// infoLang is the language that an info string names: its first word, without what is written around or behind it
// ("{.python .numberLines}", "rust,ignore", "ts:main.ts").
func infoLang(info string) string {
	info = strings.TrimLeft(info, "{. ")
	end := strings.IndexFunc(info, func(r rune) bool {
		return strings.ContainsRune(" ,:;{}()[]='\"", r)
	})
	if end >= 0 {
		info = info[:end]
	}
	return strings.ToLower(info)
}
