package outline

import (
	"bytes"
	"fmt"

	"github.com/fxamacker/cbor/v2"

	"github.com/cleave-project/cleave/core/object"
)

// The encoding of an outline in the cache: the four bytes of encodingMagic, whose last one is the version, and one item
// of deterministic CBOR (RFC 8949, section 4.2.1). Equal outlines give equal bytes. Version history:
//
//	1  first form
const encodingMagic = "clo\x01"

// record is what is written. A source text is not part of it: it is the revision's own bytes.
type record struct {
	_        struct{} `cbor:",toarray"`
	Coords   object.Coords
	TextLen  int
	Text     []byte // extracted text only
	Title    string
	Titled   bool
	Lang     string
	Meta     map[string]string
	Units    []Unit
	Skips    []object.Skip
	Segments []object.Segment
	Warnings []object.Warning
}

// Encode gives o deterministic bytes, without the text where it is the source itself.
func Encode(o *Outline) ([]byte, error) {
	r := record{Coords: o.Coords, TextLen: len(o.Text), Title: o.Title, Titled: o.Titled, Lang: o.Lang, Meta: o.Meta,
		Units: o.Units, Skips: o.Skips, Segments: o.Segments, Warnings: o.Warnings}
	if o.Coords == object.CoordsExtracted {
		r.Text = o.Text
	}
	mode, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		return nil, fmt.Errorf("encode outline: %w", err)
	}
	buf := bytes.NewBufferString(encodingMagic)
	if err := mode.NewEncoder(buf).Encode(r); err != nil {
		return nil, fmt.Errorf("encode outline: %w", err)
	}
	return buf.Bytes(), nil
}

// Decode reads what Encode wrote. raw is the stored file, which a source text is; data must come from a store that
// verified its hash, so only its form and version are checked here.
func Decode(data, raw []byte) (*Outline, error) {
	body, ok := bytes.CutPrefix(data, []byte(encodingMagic))
	if !ok {
		return nil, fmt.Errorf("decode outline: not an outline of version %d", encodingMagic[3])
	}
	opts := cbor.DecOptions{MaxArrayElements: maxCells, MaxNestedLevels: 16}
	mode, err := opts.DecMode()
	if err != nil {
		return nil, fmt.Errorf("decode outline: %w", err)
	}
	var r record
	if err := mode.Unmarshal(body, &r); err != nil {
		return nil, fmt.Errorf("decode outline: %w", err)
	}
	o := &Outline{Text: raw, Coords: r.Coords, Title: r.Title, Titled: r.Titled, Lang: r.Lang, Meta: r.Meta,
		Units: r.Units, Skips: r.Skips, Segments: r.Segments, Warnings: r.Warnings}
	if r.Coords == object.CoordsExtracted {
		o.Text = r.Text
	}
	if len(o.Text) != r.TextLen {
		return nil, fmt.Errorf("decode outline: it is about %d bytes of text, not %d", r.TextLen, len(o.Text))
	}
	return o, nil
}
