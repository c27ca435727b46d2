package answer

import (
	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/outline"
)

// Hold gives the document its whole text: chunks then carry their embedding texts, which may repeat what stands
// anywhere in it. Without, set Text alone and read what is asked for.
func (d *Document) Hold(text []byte) {
	d.Text = func(start, end int64) ([]byte, error) { return text[start:end], nil }
	d.EmbedText = func(c object.Chunk) ([]byte, error) {
		return chunk.EmbedText(d.Record.Title, d.Record.Titled, c, text), nil
	}
}

// Units are an outline's units, as split shows them.
func Units(o *outline.Outline) *control.List[control.Unit] {
	out := make(control.List[control.Unit], len(o.Units))
	for i := range o.Units {
		out[i] = unit(&o.Units[i])
	}
	return &out
}

func unit(u *outline.Unit) control.Unit {
	w := control.Unit{
		Depth: u.Depth, Kind: string(u.Kind), Name: u.Name, Start: u.Span.Start, End: u.Span.End,
		Cut: string(u.Cut), Clings: u.Clings, Border: u.Border, Lang: u.Lang,
	}
	for _, x := range u.Context {
		w.Context = append(w.Context, control.UnitContext{Start: x.Span.Start, End: x.Span.End, Role: string(x.Role)})
	}
	for _, x := range u.Cells {
		w.Cells = append(w.Cells, control.Cell{Start: x.Span.Start, End: x.Span.End, Value: x.Value})
	}
	if len(u.Attrs) > 0 {
		w.Attrs = make(control.Attrs, len(u.Attrs))
	}
	for _, x := range u.Attrs {
		w.Attrs[string(x.Key)] = x.Value
	}
	return w
}
