package wire

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/cleave-project/cleave/sdk"
)

// carry sends o over the wire format and back.
func carry(o sdk.Outline, bounds Bounds) (got sdk.Outline, replies int, err error) {
	d := decoder{bounds: bounds}
	done := false
	err = sendOutline(o, func(reply *SplitReply) error {
		data, err := proto.Marshal(reply)
		if err != nil {
			return err
		}
		if len(data) > 2*Frame {
			return errors.New("a reply is larger than two frames")
		}
		var received SplitReply
		if err := proto.Unmarshal(data, &received); err != nil {
			return err
		}
		replies++
		done, err = d.add(&received)
		return err
	})
	if err == nil && !done {
		err = errors.New("not done")
	}
	return d.outline, replies, err
}

// TestRoundTrip: what a splitter says arrives, text that is not UTF-8 and lies included.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := outlines().Draw(t, "outline")
		got, _, err := carry(want, Bounds{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got)\n%s", diff)
		}
	})
}

func outlines() *rapid.Generator[sdk.Outline] {
	text := rapid.Custom(func(t *rapid.T) string {
		return string(rapid.SliceOfN(rapid.Byte(), 0, 6).Draw(t, "bytes"))
	})
	span := rapid.Custom(func(t *rapid.T) sdk.Span {
		return sdk.Span{Start: rapid.IntRange(-3, 1<<40).Draw(t, "start"), End: rapid.IntRange(-3, 1<<40).Draw(t, "end")}
	})
	unit := rapid.Custom(func(t *rapid.T) sdk.Unit {
		u := sdk.Unit{
			Depth:  rapid.IntRange(-1, 5).Draw(t, "depth"),
			Kind:   rapid.SampledFrom(append(sdk.Kinds(), "")).Draw(t, "kind"),
			Cut:    rapid.SampledFrom(append(sdk.Cuts(), "")).Draw(t, "cut"),
			Span:   span.Draw(t, "span"),
			Name:   text.Draw(t, "name"),
			Lang:   text.Draw(t, "lang"),
			Clings: rapid.Bool().Draw(t, "clings"),
			Border: rapid.Bool().Draw(t, "border"),
		}
		for range rapid.IntRange(0, 2).Draw(t, "contexts") {
			u.Context = append(u.Context, sdk.Context{Span: span.Draw(t, "context"), Role: rapid.SampledFrom(sdk.Roles()).Draw(t, "role")})
		}
		for range rapid.IntRange(0, 3).Draw(t, "cells") {
			u.Cells = append(u.Cells, sdk.Cell{Span: span.Draw(t, "cell"), Value: text.Draw(t, "value")})
		}
		for range rapid.IntRange(0, 2).Draw(t, "attrs") {
			if u.Attrs == nil {
				u.Attrs = map[sdk.AttrKey]string{}
			}
			u.Attrs[rapid.SampledFrom(sdk.AttrKeys()).Draw(t, "key")] = text.Draw(t, "value")
		}
		return u
	})
	return rapid.Custom(func(t *rapid.T) sdk.Outline {
		o := sdk.Outline{Title: text.Draw(t, "title"), Language: text.Draw(t, "language")}
		if n := rapid.IntRange(0, 3).Draw(t, "meta"); n > 0 {
			o.Meta = map[string]string{}
			for range n {
				o.Meta[text.Draw(t, "key")] = text.Draw(t, "value")
			}
		}
		if rapid.Bool().Draw(t, "extracted") {
			o.Text = []byte(text.Draw(t, "text"))
		}
		for range rapid.IntRange(0, 6).Draw(t, "units") {
			o.Units = append(o.Units, unit.Draw(t, "unit"))
		}
		for range rapid.IntRange(0, 2).Draw(t, "segments") {
			o.Segments = append(o.Segments, sdk.Segment{Text: span.Draw(t, "text"), Source: span.Draw(t, "source"),
				Page: rapid.IntRange(0, 9).Draw(t, "page"), Cell: text.Draw(t, "cell")})
		}
		for range rapid.IntRange(0, 2).Draw(t, "skips") {
			o.Skips = append(o.Skips, sdk.Skip{Span: span.Draw(t, "skip"), Reason: rapid.SampledFrom(sdk.SkipReasons()).Draw(t, "reason")})
		}
		for range rapid.IntRange(0, 2).Draw(t, "warnings") {
			o.Warnings = append(o.Warnings, sdk.Warning{Code: rapid.SampledFrom(sdk.WarningCodes()).Draw(t, "code"),
				Message: text.Draw(t, "message"), Span: span.Draw(t, "span")})
		}
		return o
	})
}

// TestLargeOutline: frames and batches are kept, and nothing is lost at their seams.
func TestLargeOutline(t *testing.T) {
	want := sdk.Outline{Text: []byte(strings.Repeat("0123456789abcdef", 3*Frame/16+1))}
	for i := range 3*Batch + 1 {
		want.Units = append(want.Units, sdk.Unit{Kind: sdk.KindText, Cut: sdk.CutLines, Span: sdk.Span{Start: i, End: i + 1}})
	}
	want.Units = append(want.Units, sdk.Unit{Kind: sdk.KindText, Cut: sdk.CutLines, Name: strings.Repeat("n", Frame)})
	got, replies, err := carry(want, Bounds{})
	if err != nil || !reflect.DeepEqual(want, got) { // go-cmp takes minutes for megabytes
		t.Errorf("carry: %v, %d units and %d bytes of text", err, len(got.Units), len(got.Text))
	}
	if replies < 7 || replies > 10 {
		t.Errorf("%d replies for 4 frames of text and 4 batches of units", replies)
	}
	small := sdk.Outline{Title: "t", Units: want.Units[:100]}
	if _, replies, err := carry(small, Bounds{}); err != nil || replies != 1 {
		t.Errorf("a small outline took %d replies, %v", replies, err)
	}
}

// TestBounds: an outline over a bound is refused while it comes in (I13).
func TestBounds(t *testing.T) {
	units := sdk.Outline{Units: make([]sdk.Unit, 1000)}
	for _, tt := range []struct {
		name    string
		outline sdk.Outline
		bounds  Bounds
		broken  bool
	}{
		{"units within", units, Bounds{Units: 1000}, false},
		{"units over", units, Bounds{Units: 999}, true},
		{"bytes of units", units, Bounds{Bytes: 100_000}, true},
		{"bytes of text", sdk.Outline{Text: make([]byte, 1001)}, Bounds{Bytes: 1000}, true},
		{"bytes of metadata", sdk.Outline{Meta: map[string]string{"a": strings.Repeat("x", 1001)}}, Bounds{Bytes: 1000}, true},
		{"within", units, Bounds{Bytes: 1 << 20}, false},
	} {
		_, _, err := carry(tt.outline, tt.bounds)
		var broke *BrokenError
		if errors.As(err, &broke) != tt.broken || !tt.broken && err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// TestLyingReplies: a reply that stops early or contradicts itself is not taken for an outline.
func TestLyingReplies(t *testing.T) {
	for name, reply := range map[string]*SplitReply{
		"fewer units": {End: &End{Units: 1}},
		"less text":   {Head: &OutlineHead{Extracted: true}, End: &End{TextBytes: 1}},
		"surprise":    {Head: &OutlineHead{}, Text: []byte("x"), End: &End{TextBytes: 1}},
	} {
		d := decoder{}
		_, err := d.add(reply)
		var broke *BrokenError
		if !errors.As(err, &broke) {
			t.Errorf("%s: %v", name, err)
		}
	}
	d := decoder{}
	_, err := d.add(&SplitReply{Refusal: &Refusal{Code: "made_up", Message: []byte("m")}})
	if diff := cmp.Diff(error(sdk.Errorf(sdk.CodePluginRefused, "m")), err); diff != "" {
		t.Errorf("refusal (-want +got)\n%s", diff)
	}
}

// FuzzDecode: no bytes make the decoder panic or exceed its bounds.
func FuzzDecode(f *testing.F) {
	seed, err := proto.Marshal(&SplitReply{Head: &OutlineHead{Title: []byte("t")}, Units: []*Unit{{Kind: 3, End: 5}}, End: &End{Units: 1}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, data []byte) {
		var reply SplitReply
		if proto.Unmarshal(data, &reply) != nil {
			return
		}
		d := decoder{bounds: Bounds{Bytes: 1 << 16, Units: 100}}
		if _, err := d.add(&reply); err == nil && (d.bytes > 1<<16 || d.units > 100) {
			t.Errorf("%d bytes, %d units", d.bytes, d.units)
		}
	})
}

func BenchmarkCarry(b *testing.B) {
	o := sdk.Outline{Units: make([]sdk.Unit, 100_000)}
	for i := range o.Units {
		o.Units[i] = sdk.Unit{Kind: sdk.KindParagraph, Cut: sdk.CutSentences, Span: sdk.Span{Start: i * 80, End: i*80 + 79}}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := carry(o, Bounds{}); err != nil {
			b.Fatal(err)
		}
	}
}
