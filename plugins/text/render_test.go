package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cleave-project/cleave/sdk"
)

// render shows an outline for people: one line for a unit, indented by depth, with the bytes it spans.
func render(content []byte, o sdk.Outline) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if o.Title != "" {
		line("title %q", o.Title)
	}
	if o.Language != "" {
		line("language %s", o.Language)
	}
	for _, k := range slices.Sorted(maps.Keys(o.Meta)) {
		line("meta %s = %q", k, o.Meta[k])
	}
	for _, s := range o.Skips {
		line("skip %s %s", s.Reason, show(content, s.Span))
	}
	for _, w := range o.Warnings {
		line("warning %s %s: %s", w.Code, show(content, w.Span), w.Message)
	}
	for _, u := range o.Units {
		line("%s%s", strings.Repeat("  ", u.Depth), unitLine(content, u))
	}
	return b.String()
}

func unitLine(content []byte, u sdk.Unit) string {
	parts := []string{string(u.Kind)}
	if u.Name != "" {
		parts = append(parts, fmt.Sprintf("name=%q", u.Name))
	}
	if u.Lang != "" {
		parts = append(parts, "lang="+u.Lang)
	}
	for _, k := range slices.Sorted(maps.Keys(u.Attrs)) {
		parts = append(parts, string(k)+"="+u.Attrs[k])
	}
	if u.Clings {
		parts = append(parts, "clings")
	}
	if u.Kind != sdk.KindSection {
		parts = append(parts, "cut="+string(u.Cut))
	}
	for _, c := range u.Context {
		parts = append(parts, string(c.Role)+"="+show(content, c.Span))
	}
	for _, c := range u.Cells {
		parts = append(parts, fmt.Sprintf("cell=%q", c.Value))
	}
	return strings.Join(append(parts, show(content, u.Span)), " ")
}

// show gives a span with its bytes, the middle left out where it is long.
func show(content []byte, s sdk.Span) string {
	t := string(content[s.Start:s.End])
	if len(t) > 72 {
		t = strings.ToValidUTF8(t[:40], "") + "…" + strings.ToValidUTF8(t[len(t)-20:], "")
	}
	return fmt.Sprintf("[%d,%d) %q", s.Start, s.End, t)
}
