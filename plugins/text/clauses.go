package main

import (
	"bytes"
	"strings"

	"github.com/cleave-project/cleave/sdk"
)

// maxTitle is the longest title of a clause, in bytes; a longer line is its text.
const maxTitle = 120

// clauses adds clauses, each within the one of a lower rank before it, and what stands before the first.
func (b *builder) clauses(cs []clause, region sdk.Span) {
	b.prose(sdk.Span{Start: region.Start, End: cs[0].line.start}, 0)
	var open []openClause
	for i, c := range cs {
		if b.stopped() {
			b.closeClauses(open, 0, c.line.start)
			b.add(sdk.KindText, sdk.CutSentences, 0, c.line.start, region.End)
			return
		}
		end := region.End
		if i+1 < len(cs) {
			end = cs[i+1].line.start
		}
		open = b.closeClauses(open, c.rank, c.line.start)
		own := sdk.Span{Start: c.line.start, End: end}
		b.label = c.line.start
		if i+1 < len(cs) && cs[i+1].rank > c.rank {
			at := b.clause(c, own, len(open), true)
			open = append(open, openClause{at, c.rank})
			continue
		}
		b.clause(c, own, len(open), false)
	}
	b.closeClauses(open, 0, region.End)
}

// clause adds a clause with its own text, and gives its index. One with parts has children in any case.
func (b *builder) clause(c clause, own sdk.Span, depth int, parts bool) int {
	at := b.holder(sdk.KindClause, own, depth)
	inner := b.units[at].Span
	b.units[at].Name = c.name(b.src, inner.End, parts)
	if parts && len(b.units) == at+1 {
		b.units[at].Cut = sdk.CutChildren
		b.units = append(b.units, sdk.Unit{Depth: depth + 1, Kind: sdk.KindParagraph, Cut: sdk.CutSentences, Span: inner})
	}
	if len(b.units) > at+1 {
		if u := &b.units[at+1]; u.Kind == sdk.KindParagraph && isTitle(b.src[u.Span.Start:u.Span.End]) {
			u.Kind, u.Clings = sdk.KindHeading, true
		}
	}
	return at
}

// isTitle tells whether a text is a title: short, and no sentence.
func isTitle(text []byte) bool {
	return len(text) <= maxTitle && !bytes.ContainsAny(text[len(text)-1:], ".;,:")
}

// openClause is a clause with parts: the index of its unit, and its rank.
type openClause struct{ unit, rank int }

// closeClauses ends the open clauses that a clause of this rank at offset end is no part of.
func (b *builder) closeClauses(open []openClause, rank, end int) []openClause {
	for n := len(open); n > 0 && open[n-1].rank >= rank; n-- {
		u := &b.units[open[n-1].unit]
		u.Span.End = trimEnd(b.src, u.Span.Start, end)
		open = open[:n-1]
	}
	return open
}

// name is a clause's element of the breadcrumb: its first line where that is a title with text or parts below it, its
// label where a word stands in it, and nothing for a numbered sentence, which says its number itself.
func (c clause) name(src []byte, end int, parts bool) string {
	text := bytes.TrimSpace(src[c.line.start:min(c.line.end, c.line.start+maxTitle+1)])
	if isTitle(text) && (parts || c.line.end < end) {
		return oneLine(string(text))
	}
	if c.word != "" {
		return oneLine(c.label)
	}
	return ""
}

// oneLine makes one blank of each run of white space; a byte order mark has no width and goes.
func oneLine(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\ufeff", "")
	return strings.Join(strings.Fields(s), " ")
}
