package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cleave-project/cleave/sdk"
)

// broken gives the first rule of the contract that an outline of content breaks, or "".
func broken(content []byte, o sdk.Outline) string {
	open := []sdk.Unit{}
	cursor := []int{0}
	for i, u := range o.Units {
		if u.Depth < 0 || u.Depth > len(open) {
			return fmt.Sprintf("unit %d: depth %d after %d", i, u.Depth, len(open))
		}
		open, cursor = open[:u.Depth], cursor[:u.Depth+1]
		if why := badUnit(content, u); why != "" {
			return fmt.Sprintf("unit %d %s %v: %s", i, u.Kind, u.Span, why)
		}
		if u.Span.Start < cursor[u.Depth] {
			return fmt.Sprintf("unit %d %s %v: overlaps what ends at %d", i, u.Kind, u.Span, cursor[u.Depth])
		}
		if u.Depth > 0 && !open[u.Depth-1].Span.Contains(u.Span) {
			return fmt.Sprintf("unit %d %s %v: outside its parent %v", i, u.Kind, u.Span, open[u.Depth-1].Span)
		}
		cursor[u.Depth] = u.Span.End
		open, cursor = append(open, u), append(cursor, u.Span.Start)
	}
	at := 0
	for _, s := range o.Skips {
		if s.Span.Start < at || s.Span.End <= s.Span.Start || s.Span.End > len(content) {
			return fmt.Sprintf("skip %v", s.Span)
		}
		at = s.Span.End
	}
	for _, w := range o.Warnings {
		if w.Span.Start < 0 || w.Span.End < w.Span.Start || w.Span.End > len(content) {
			return fmt.Sprintf("warning %v", w.Span)
		}
	}
	if !utf8.ValidString(o.Title) {
		return "title is not UTF-8"
	}
	return uncovered(content, o)
}

// uncovered gives the first byte that is neither space nor before, in or behind a unit of depth 0 or a skip. Bytes
// between siblings belong to one of them, so that only a text without any unit has some.
func uncovered(content []byte, o sdk.Outline) string {
	if len(o.Units) > 0 {
		return ""
	}
	rest := string(content)
	for _, s := range o.Skips {
		rest = rest[:s.Span.Start] + strings.Repeat(" ", s.Span.Len()) + rest[s.Span.End:]
	}
	if strings.Trim(rest, " \t\r\n\v\f") != "" {
		return "no unit holds the text"
	}
	return ""
}

func badUnit(content []byte, u sdk.Unit) string {
	switch {
	case !inside(content, u.Span) || u.Span.Len() == 0:
		return "span"
	case !slices.Contains(sdk.Kinds(), u.Kind), !slices.Contains(sdk.Cuts(), u.Cut):
		return "kind or cut"
	case u.Name != strings.TrimSpace(u.Name) || strings.ContainsAny(u.Name, "\r\n\v\f\u0085\u2028\u2029\ufeff") || !utf8.ValidString(u.Name):
		return "name"
	case len(u.Lang) > 64 || strings.ContainsAny(u.Lang, " \t\r\n") || !utf8.ValidString(u.Lang):
		return "language"
	}
	at := u.Span.Start
	for _, c := range u.Cells {
		if !inside(content, c.Span) || c.Span.Start < at || c.Span.End > u.Span.End {
			return fmt.Sprintf("cell %v", c.Span)
		}
		at = c.Span.End
	}
	for _, c := range u.Context {
		if !inside(content, c.Span) || c.Span.Len() == 0 || !slices.Contains(sdk.Roles(), c.Role) {
			return fmt.Sprintf("context %v", c.Span)
		}
	}
	for k, v := range u.Attrs {
		if !slices.Contains(sdk.AttrKeys(), k) || !utf8.ValidString(v) || len(v) > 1<<20 {
			return "attribute " + string(k)
		}
	}
	return ""
}

// inside tells whether s is in range and cuts no character of valid text.
func inside(content []byte, s sdk.Span) bool {
	return 0 <= s.Start && s.Start <= s.End && s.End <= len(content) && whole(content, s.Start) && whole(content, s.End)
}

func whole(content []byte, at int) bool {
	return at == len(content) || utf8.RuneStart(content[at]) || !utf8.Valid(content)
}
