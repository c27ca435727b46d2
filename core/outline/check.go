package outline

import (
	"bytes"
	"unicode/utf8"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/sdk"
)

// Input is what a splitter was given and what the core knows about it.
type Input struct {
	Raw       []byte // the whole stored file
	Base      int    // the splitter was given Raw[Base:]; Raw[:Base] is a byte order mark
	Takes     sdk.Input
	MediaType string
	Lang      string // where the outline says none
	Encoding  string
}

// checker carries one check: the text spans count, and what to add to each.
type checker struct {
	in    Input
	text  []byte // what unit spans count, before the shift
	shift int64  // of positions in text
	lists lists
}

// Check turns what a splitter said into what the core may believe, or returns an *Error. The result keeps in.Raw or
// o.Text, and nothing else of o that could be changed later.
func Check(in Input, o sdk.Outline) (*Outline, error) {
	c := &checker{in: in, text: in.Raw[in.Base:], shift: int64(in.Base), lists: newLists()}
	out := &Outline{Text: in.Raw, Coords: object.CoordsSource, Lang: in.Lang}
	if o.Text != nil {
		c.text, c.shift = o.Text, 0
		out.Text, out.Coords = o.Text, object.CoordsExtracted
	}
	if !utf8.Valid(c.text) {
		return nil, broken(RuleText, -1, invalidAt(c.text), "the text is not valid UTF-8")
	}
	steps := []func(*Outline, sdk.Outline) *Error{c.head, c.units, c.segments, c.skips, c.warnings}
	for _, step := range steps {
		if err := step(out, o); err != nil {
			return nil, err
		}
	}
	out.Titled = out.Title != "" && out.Title != firstHeading(out.Units)
	return out, nil
}

// head checks what the outline says about the document as a whole.
func (c *checker) head(out *Outline, o sdk.Outline) *Error {
	out.Title = clip(oneLine(o.Title), MaxName)
	if o.Language != "" {
		if err := checkLang(o.Language, -1, 0); err != nil {
			return err
		}
		out.Lang = o.Language
	}
	if len(o.Meta) > maxMeta {
		return broken(RuleCount, -1, 0, "%d properties, at most %d are allowed", len(o.Meta), maxMeta)
	}
	for k, v := range o.Meta {
		if k == "" || len(k) > MaxName || len(v) > maxValue || !utf8.ValidString(k) || !utf8.ValidString(v) {
			return broken(RuleAttribute, -1, 0, "property %.40q is empty, too long or not UTF-8", k)
		}
		if out.Meta == nil {
			out.Meta = make(map[string]string, len(o.Meta))
		}
		out.Meta[k] = v
	}
	return nil
}

// segments checks the map from an extracted text to its source.
func (c *checker) segments(out *Outline, o sdk.Outline) *Error {
	content, last := len(c.in.Raw)-c.in.Base, 0
	for i, s := range o.Segments {
		if err := c.span(s.Text, -1, "segment"); err != nil {
			return err
		}
		if s.Text.Start < last {
			return broken(RuleOrder, -1, s.Text.Start, "segment %d begins before the one before it ends", i)
		}
		last = s.Text.End
		if s.Page < 0 || len(s.Cell) > MaxName || !utf8.ValidString(s.Cell) {
			return broken(RuleSegment, -1, s.Text.Start, "segment %d has page %d and cell %.40q", i, s.Page, s.Cell)
		}
		seg := object.Segment{Text: c.shifted(s.Text), Page: s.Page, Cell: s.Cell}
		if s.Source != (sdk.Span{}) {
			if s.Source.Start < 0 || s.Source.End < s.Source.Start || s.Source.End > content {
				return broken(RuleRange, -1, s.Text.Start, "segment %d leads to [%d,%d) of %d bytes", i, s.Source.Start, s.Source.End, content)
			}
			if o.Text == nil && s.Source != s.Text {
				return broken(RuleSegment, -1, s.Text.Start, "segment %d moves text that was not extracted", i)
			}
			seg.Source = object.Span{Start: int64(s.Source.Start + c.in.Base), End: int64(s.Source.End + c.in.Base)}
		}
		out.Segments = append(out.Segments, seg)
	}
	return nil
}

// skips checks what is left out and puts the byte order mark in front. Skips of an extracted text count bytes of the
// file where the format has byte addresses, else bytes of that text.
func (c *checker) skips(out *Outline, o sdk.Outline) *Error {
	text, shift := c.in.Raw[c.in.Base:], int64(c.in.Base)
	inText := o.Text == nil
	if !inText && !out.addressed() {
		text, shift, inText = o.Text, 0, true
	}
	// Where nothing else is in the file, there is nothing the mark would have to be set apart from; see Borders.
	if shift > 0 && !sdk.Blank(text) {
		out.Skips = append(out.Skips, markSkip)
	}
	last := 0
	for i, s := range o.Skips {
		if err := spanIn(text, s.Span, -1, "skip", inText); err != nil {
			return err
		}
		if s.Span.Len() == 0 {
			return broken(RuleEmpty, -1, s.Span.Start, "skip %d holds nothing", i)
		}
		if s.Span.Start < last {
			return broken(RuleOrder, -1, s.Span.Start, "skip %d begins before the one before it ends", i)
		}
		last = s.Span.End
		if !c.lists.reasons[s.Reason] || s.Reason == sdk.SkipBOM && !isBOM(text, s.Span) {
			return broken(RuleKind, -1, s.Span.Start, "skip reason %.40q", s.Reason)
		}
		span := object.Span{Start: int64(s.Span.Start) + shift, End: int64(s.Span.End) + shift}
		out.Skips = append(out.Skips, object.Skip{Span: span, Reason: string(s.Reason)})
	}
	return nil
}

// bomLen is the length of the UTF-8 byte order mark, markSkip the mark left out (Unicode 23.8: a signature, not text).
const bomLen = len("\uFEFF")

var markSkip = object.Skip{Span: object.Span{End: int64(bomLen)}, Reason: string(sdk.SkipBOM)}

// isBOM tells whether s is the UTF-8 byte order mark at the start of text; only splitters that take bytes meet one.
func isBOM(text []byte, s sdk.Span) bool {
	return s.Start == 0 && s.End == bomLen && bytes.HasPrefix(text, []byte("\uFEFF"))
}

// warnings checks warnings. Their spans count bytes of the content; one that points outside of it says only that the
// splitter is wrong about a courtesy, but then nothing it says is to be believed.
func (c *checker) warnings(out *Outline, o sdk.Outline) *Error {
	if len(o.Warnings) > maxWarnings {
		return broken(RuleCount, -1, 0, "%d warnings, at most %d are allowed", len(o.Warnings), maxWarnings)
	}
	limit, shift := len(c.in.Raw)-c.in.Base, int64(c.in.Base)
	if o.Text != nil && !out.addressed() {
		limit, shift = len(o.Text), 0
	}
	for i, w := range o.Warnings {
		if !c.lists.warnings[w.Code] {
			return broken(RuleKind, -1, w.Span.Start, "warning code %.40q", w.Code)
		}
		if w.Span.Start < 0 || w.Span.End < w.Span.Start || w.Span.End > limit {
			return broken(RuleRange, -1, w.Span.Start, "warning %d is about [%d,%d) of %d bytes", i, w.Span.Start, w.Span.End, limit)
		}
		ow := object.Warning{Code: string(w.Code), Message: clip(oneLine(w.Message), MaxName)}
		if w.Span != (sdk.Span{}) {
			ow.Span = object.Span{Start: int64(w.Span.Start) + shift, End: int64(w.Span.End) + shift}
		}
		out.Warnings = append(out.Warnings, ow)
	}
	return nil
}

// firstHeading is the name of the first heading or section that has one.
func firstHeading(units []Unit) string {
	for i := range units {
		u := &units[i]
		if u.Name != "" && (u.Kind == sdk.KindHeading || u.Kind == sdk.KindSection) {
			return u.Name
		}
	}
	return ""
}
