package outline

import (
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/sdk"
)

// Outline is a checked outline. It is immutable once made.
type Outline struct {
	// Text is the document's text: the stored file itself where Coords is source, the extracted text elsewhere. Valid
	// UTF-8 outside skips.
	Text   []byte
	Coords object.Coords
	// Title is the document's own title, of one line. Titled tells that it is not the first heading, so that it is
	// part of what is embedded.
	Title    string
	Titled   bool
	Lang     string
	Meta     map[string]string
	Units    []Unit
	Skips    []object.Skip
	Segments []object.Segment
	Warnings []object.Warning
}

// Unit is a checked unit. Spans are offsets of Outline.Text.
type Unit struct {
	_       struct{} `cbor:",toarray"`
	Span    object.Span
	Parent  int // index of the parent; -1 at the top
	End     int // one past the index of the last unit of its subtree
	Depth   int
	Kind    sdk.Kind
	Cut     sdk.Cut
	Clings  bool
	Border  bool
	Name    string
	Lang    string
	Context []Context
	Cells   []Cell
	Attrs   []Attr // by key
}

// Context is a span that is repeated in pieces of a unit.
type Context struct {
	_    struct{} `cbor:",toarray"`
	Span object.Span
	Role sdk.Role
}

// Cell is a cell of a row; its span may be empty.
type Cell struct {
	_     struct{} `cbor:",toarray"`
	Span  object.Span
	Value string
}

// Attr is an attribute of a unit.
type Attr struct {
	_     struct{} `cbor:",toarray"`
	Key   sdk.AttrKey
	Value string
}

// Attr is the value of the unit's attribute key, empty where it has none.
func (u *Unit) Attr(key sdk.AttrKey) string {
	for i := range u.Attrs {
		if u.Attrs[i].Key == key {
			return u.Attrs[i].Value
		}
	}
	return ""
}

// Borders are the spans of Text that are no text to pack: in order, not overlapping. They are the skipped ones, and the
// byte order mark of a document that is blank but for it, of which nothing is skipped. An extracted text whose format
// has byte addresses has none, since its skips count bytes of the file.
func (o *Outline) Borders() []object.Skip {
	switch {
	case o.Coords != object.CoordsSource && o.addressed():
		return nil
	case o.Coords == object.CoordsSource && len(o.Skips) == 0 && isBOM(o.Text, sdk.Span{End: bomLen}):
		return []object.Skip{markSkip}
	}
	return o.Skips
}

// addressed tells whether any segment leads to bytes of the file.
func (o *Outline) addressed() bool {
	for i := range o.Segments {
		if o.Segments[i].Source != (object.Span{}) {
			return true
		}
	}
	return false
}
