package outline_test

import (
	"encoding/binary"
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/cleave-project/cleave/core/outline"
	"github.com/cleave-project/cleave/sdk"
)

// hostileOutline makes an outline out of any bytes: right and wrong ones, nothing is mended.
func hostileOutline(data []byte) sdk.Outline {
	next := func() int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		if b == 255 && len(data) >= 4 {
			n := int(int32(binary.LittleEndian.Uint32(data)))
			data = data[4:]
			return n
		}
		return int(b)
	}
	span := func() sdk.Span { s := next(); return sdk.Span{Start: s, End: s + next()} }
	pick := func(n int) int { return (next()%n + n) % n }
	head := func(n int) []byte { n = pick(n); return data[:min(len(data), n)] }
	kinds, cuts, roles := append(sdk.Kinds(), "x"), append(sdk.Cuts(), "x"), append(sdk.Roles(), "x")
	var o sdk.Outline
	if pick(8) == 0 {
		o.Text = append([]byte(nil), head(40)...)
	}
	for len(data) > 0 {
		switch pick(8) {
		case 0:
			o.Skips = append(o.Skips, sdk.Skip{Span: span(), Reason: sdk.SkipReasons()[pick(8)]})
		case 1:
			o.Segments = append(o.Segments, sdk.Segment{Text: span(), Source: span(), Page: next()})
		case 2:
			o.Warnings = append(o.Warnings, sdk.Warning{Code: sdk.WarnEmpty, Span: span()})
		case 3:
			if n := len(o.Units); n > 0 {
				o.Units[n-1].Context = append(o.Units[n-1].Context, sdk.Context{Span: span(), Role: roles[pick(len(roles))]})
			}
		case 4:
			if n := len(o.Units); n > 0 {
				o.Units[n-1].Cells = append(o.Units[n-1].Cells, sdk.Cell{Span: span()})
			}
		default:
			o.Units = append(o.Units, sdk.Unit{Depth: next(), Span: span(), Kind: kinds[pick(len(kinds))], Cut: cuts[pick(len(cuts))],
				Name: string(head(4)), Clings: pick(2) == 0, Border: pick(9) == 0})
		}
	}
	return o
}

// What Check lets through holds the rules: a reader of the result need not look again.
func FuzzCheck(f *testing.F) {
	f.Add([]byte("hello wörld"), []byte{1, 5, 0, 0, 11, 1, 1, 0, 0, 0}, false)
	f.Add([]byte("\uFEFFa\n\nb"), []byte{1, 5, 0, 0, 1, 1, 1, 0, 0, 0, 5, 0, 3, 1, 1, 1, 0, 0, 0}, true)
	f.Fuzz(func(t *testing.T, raw, data []byte, mark bool) {
		base := 0
		if mark && len(raw) >= 3 {
			base = 3
		}
		o, err := outline.Check(outline.Input{Raw: raw, Base: base, Takes: sdk.InputText}, hostileOutline(data))
		if err != nil {
			var broken *outline.Error
			if !errors.As(err, &broken) {
				t.Fatalf("an error of another type: %v", err)
			}
			return
		}
		for i, u := range o.Units {
			if u.Span.Start >= u.Span.End || u.Span.End > int64(len(o.Text)) || !utf8.Valid(o.Text[u.Span.Start:u.Span.End]) {
				t.Fatalf("unit %d: %v", i, u.Span)
			}
			if u.End <= i || u.End > len(o.Units) {
				t.Fatalf("unit %d ends at %d", i, u.End)
			}
			if p := u.Parent; p >= i || p >= 0 && (o.Units[p].End < u.End || o.Units[p].Span.Start > u.Span.Start || o.Units[p].Span.End < u.Span.End) {
				t.Fatalf("unit %d lies outside its parent %d", i, p)
			}
		}
		enc, err := outline.Encode(o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := outline.Decode(enc, raw); err != nil {
			t.Fatal(err)
		}
	})
}
