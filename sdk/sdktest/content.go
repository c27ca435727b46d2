package sdktest

import (
	"slices"
	"unicode/utf8"

	"github.com/cleave-project/cleave/sdk"
)

// segments are ordered in the text alone; their sources may come in any order.
func (r *report) segments(content []byte, o sdk.Outline) {
	text, end := o.Text, 0
	if text == nil {
		text = content
	}
	for i, s := range o.Segments {
		r.utf8("segment's cell", s.Text.Start, s.Cell)
		if !r.span("segment", s.Text, text) {
			continue
		}
		if s.Text.Start < end {
			r.add(RuleOrdered, s.Text.Start, "segment %d [%d,%d) begins before the one before it ends", i, s.Text.Start, s.Text.End)
		}
		end = s.Text.End
		if s.Source.Start < 0 || s.Source.End < s.Source.Start || s.Source.End > len(content) {
			r.add(RuleRange, s.Text.Start, "segment %d has the source [%d,%d) of %d bytes", i, s.Source.Start, s.Source.End, len(content))
		}
		if s.Page < 0 {
			r.add(RuleSegments, s.Text.Start, "segment %d is on page %d", i, s.Page)
		}
		if o.Text == nil && (s.Page == 0 && s.Cell == "" || s.Source != (sdk.Span{}) && s.Source != s.Text) {
			r.add(RuleSegments, s.Text.Start, "segment %d maps a text that is the content itself and marks neither page nor cell", i)
		}
	}
}

func (r *report) skips(info sdk.Info, content []byte, skips []sdk.Skip) {
	end := 0
	for i, s := range skips {
		if !slices.Contains(sdk.SkipReasons(), s.Reason) {
			r.add(RuleList, s.Span.Start, "skip reason %q", s.Reason)
		}
		if s.Reason == sdk.SkipBOM && info.Input == sdk.InputText {
			r.add(RuleList, s.Span.Start, "skip reason %q is the core's: decoded text has none", s.Reason)
		}
		if s.Span.Start < 0 || s.Span.Start >= s.Span.End || s.Span.End > len(content) {
			r.add(RuleRange, s.Span.Start, "skip %d [%d,%d) of %d bytes", i, s.Span.Start, s.Span.End, len(content))
			continue
		}
		if info.Input == sdk.InputText {
			r.boundary("skip", s.Span, content)
		}
		if s.Span.Start < end {
			r.add(RuleOrdered, s.Span.Start, "skip %d [%d,%d) begins before the one before it ends", i, s.Span.Start, s.Span.End)
		}
		end = s.Span.End
	}
}

// warnings may have the zero span: the whole document.
func (r *report) warnings(content []byte, warnings []sdk.Warning) {
	for _, w := range warnings {
		if !slices.Contains(sdk.WarningCodes(), w.Code) {
			r.add(RuleList, w.Span.Start, "warning code %q", w.Code)
		}
		r.utf8("warning", w.Span.Start, w.Message)
		if w.Span.Start < 0 || w.Span.End < w.Span.Start || w.Span.End > len(content) {
			r.add(RuleRange, w.Span.Start, "warning %s [%d,%d) of %d bytes", w.Code, w.Span.Start, w.Span.End, len(content))
		}
	}
}

// coverage needs checking for an extracted text only: where the content is the text, every byte that no unit holds
// belongs to a neighbour by the rules of nesting, and without units the core cuts all of it. An extracted text with
// byte addresses has to say of every byte of the content where it went (A13).
func (r *report) coverage(content []byte, o sdk.Outline) {
	if o.Text == nil || !addressed(o.Segments) {
		return
	}
	spans := make([]sdk.Span, 0, len(o.Segments)+len(o.Skips))
	for _, s := range o.Segments {
		spans = append(spans, s.Source)
	}
	for _, s := range o.Skips {
		spans = append(spans, s.Span)
	}
	slices.SortFunc(spans, func(a, b sdk.Span) int { return a.Start - b.Start })
	at := 0
	for _, s := range spans {
		r.gap(content, at, min(max(s.Start, 0), len(content)))
		at = max(at, s.End)
	}
	r.gap(content, at, len(content))
}

func addressed(segments []sdk.Segment) bool {
	return slices.ContainsFunc(segments, func(s sdk.Segment) bool { return s.Source.Len() > 0 })
}

// gap reports the first byte of content[start:end] that is not space.
func (r *report) gap(content []byte, start, end int) {
	for at := start; at < end; {
		c, size := utf8.DecodeRune(content[at:])
		if !sdk.IsSpace(c) {
			r.add(RuleCoverage, at, "[%d,%d) is in no segment and no skip", at, end)
			return
		}
		at += size
	}
}
