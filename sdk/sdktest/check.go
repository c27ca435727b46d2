package sdktest

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cleave-project/cleave/sdk"
)

// Check has s split f twice and reports every rule that is broken. name is what the Problems call the file. A refusal
// (an *sdk.Error with a code of the list) breaks no rule.
func Check(ctx context.Context, s sdk.Splitter, name string, f sdk.File) []Problem {
	var r report
	first, err := r.split(ctx, s, f)
	again, errAgain := r.split(ctx, s, f)
	switch {
	case ctx.Err() != nil:
		return nil // what was cut short says nothing
	case (err == nil) != (errAgain == nil):
		r.add(RuleDeterministic, 0, "one call says %v, another %v", err, errAgain)
	case err != nil:
		r.failure(err)
	default:
		r.same(first, again)
		r.outline(s.Info(), f, first)
	}
	return r.finish(name)
}

// split makes one call with a copy of the content that is spoilt afterwards.
func (r *report) split(ctx context.Context, s sdk.Splitter, f sdk.File) (sdk.Outline, error) {
	given := f
	given.Content = bytes.Clone(f.Content)
	outline, err := s.Split(ctx, given)
	if err != nil {
		return sdk.Outline{}, err
	}
	if !bytes.Equal(given.Content, f.Content) {
		r.add(RuleReturnsOwn, 0, "the content was changed")
	}
	text := bytes.Clone(outline.Text)
	for i := range given.Content {
		given.Content[i] ^= 0xFF
	}
	if !bytes.Equal(text, outline.Text) {
		r.add(RuleReturnsOwn, 0, "the outline's text is the content's memory, which the host may use again")
		outline.Text = text
	}
	return outline, nil
}

func (r *report) failure(err error) {
	var refused *sdk.Error
	switch {
	case !errors.As(err, &refused):
		r.add(RuleAnswers, 0, "%v (a file is refused with an *sdk.Error)", err)
	case !slices.Contains(sdk.Codes(), refused.Code):
		r.add(RuleList, 0, "error code %q", refused.Code)
	case fault(refused.Code):
		r.add(RuleAnswers, 0, "%v", refused.Message)
	case refused.Message == "" || strings.ContainsAny(refused.Message, "\n\r"):
		r.add(RuleAnswers, 0, "the message of %s is not one line: %q", refused.Code, refused.Message)
	}
}

// fault tells whether a code is about the plugin and not about the file.
func fault(code sdk.Code) bool {
	switch code {
	case sdk.CodePluginCrashed, sdk.CodePluginBrokeContract, sdk.CodeParseTimeout, sdk.CodePluginRefused:
		return true
	}
	return false
}

// same compares two outlines of the same file.
func (r *report) same(a, b sdk.Outline) {
	if reflect.DeepEqual(a, b) {
		return
	}
	for i := range min(len(a.Units), len(b.Units)) {
		if !reflect.DeepEqual(a.Units[i], b.Units[i]) {
			r.add(RuleDeterministic, a.Units[i].Span.Start, "unit %d is %+v in one call, %+v in another", i, a.Units[i], b.Units[i])
			return
		}
	}
	r.add(RuleDeterministic, 0, "two calls differ: %d and %d units; title, metadata, text, segments, skips or warnings differ",
		len(a.Units), len(b.Units))
}

// outline checks all that can be said of one outline.
func (r *report) outline(info sdk.Info, f sdk.File, o sdk.Outline) {
	text := f.Content
	if o.Text != nil {
		text = o.Text
	}
	if !utf8.Valid(text) {
		r.add(RuleUTF8, firstInvalid(text), "the text is not UTF-8 (a splitter of bytes extracts a text of its own)")
	}
	r.utf8("title", 0, o.Title)
	r.utf8("language", 0, o.Language)
	for key, value := range o.Meta {
		r.utf8("metadata "+key, 0, key+value)
	}
	r.units(o.Units, text)
	r.segments(f.Content, o)
	r.skips(info, f.Content, o.Skips)
	r.warnings(f.Content, o.Warnings)
	r.coverage(f.Content, o)
}

func (r *report) utf8(what string, offset int, s string) {
	if !utf8.ValidString(s) {
		r.add(RuleUTF8, offset, "%s %q", what, s)
	}
}

func firstInvalid(text []byte) int {
	for at := 0; at < len(text); {
		c, size := utf8.DecodeRune(text[at:])
		if c == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return len(text)
}
