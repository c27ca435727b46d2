package wire

import (
	"fmt"
	"slices"

	"github.com/cleave-project/cleave/sdk"
)

// Bounds limits one outline (I13). Zero means none.
type Bounds struct {
	// Bytes is the most memory the outline may take, as counted by the decoder: content of strings and a flat rate
	// for each value.
	Bytes int64
	// Units is the most units.
	Units int
	// Message is the largest single message, in bytes.
	Message int
}

// What the values of package sdk take in memory on a 64-bit machine, allocation rounded up.
const (
	unitMemory    = 208
	contextMemory = 32
	cellMemory    = 48
	attrMemory    = 96
	segmentMemory = 64
	skipMemory    = 32
	warningMemory = 48
)

// decoder puts an outline together from replies.
type decoder struct {
	bounds  Bounds
	outline sdk.Outline
	// batches are the units as they came; they are put together once, since growing a slice of them would copy each
	// several times.
	batches [][]sdk.Unit
	units   int
	bytes   int64
}

// add takes one reply and tells whether it was the last. Its error is a *BrokenError, or an *sdk.Error where the
// plugin refuses the file.
func (d *decoder) add(reply *SplitReply) (done bool, err error) {
	if reply.Refusal != nil {
		return true, refusalError(reply.Refusal)
	}
	if reply.Head != nil {
		d.head(reply.Head)
	}
	if err := d.content(reply); err != nil {
		return false, err
	}
	if reply.End == nil {
		return false, nil
	}
	return true, d.end(reply.End)
}

func (d *decoder) content(reply *SplitReply) error {
	if len(reply.Text) > 0 && d.outline.Text == nil {
		return broken("it sends an extracted text without announcing it in the head")
	}
	d.outline.Text = append(d.outline.Text, reply.Text...)
	d.bytes += int64(len(reply.Text))
	if d.units += len(reply.Units); d.bounds.Units > 0 && d.units > d.bounds.Units {
		return broken("its outline has more than %d units", d.bounds.Units)
	}
	if len(reply.Units) > 0 {
		batch := make([]sdk.Unit, len(reply.Units))
		for i, u := range reply.Units {
			batch[i] = d.unit(u)
		}
		d.batches = append(d.batches, batch)
	}
	for _, s := range reply.Segments {
		d.outline.Segments = append(d.outline.Segments, sdk.Segment{Text: span(s.Start, s.End),
			Source: span(s.SourceStart, s.SourceEnd), Page: int(s.Page), Cell: d.text(s.Cell)})
	}
	for _, s := range reply.Skips {
		d.outline.Skips = append(d.outline.Skips, sdk.Skip{Span: span(s.Start, s.End), Reason: skipReasons.value(s.Reason)})
	}
	for _, w := range reply.Warnings {
		d.outline.Warnings = append(d.outline.Warnings, sdk.Warning{Code: warnings.value(w.Code),
			Message: d.text(w.Message), Span: span(w.Start, w.End)})
	}
	d.bytes += int64(segmentMemory*len(reply.Segments) + skipMemory*len(reply.Skips) + warningMemory*len(reply.Warnings))
	if d.bounds.Bytes > 0 && d.bytes > d.bounds.Bytes {
		return broken("its outline takes more than %d bytes", d.bounds.Bytes)
	}
	return nil
}

func (d *decoder) head(head *OutlineHead) {
	d.outline.Title = d.text(head.Title)
	d.outline.Language = d.text(head.Language)
	if head.Extracted && d.outline.Text == nil {
		d.outline.Text = []byte{}
	}
	for _, m := range head.Meta {
		if d.outline.Meta == nil {
			d.outline.Meta = make(map[string]string, len(head.Meta))
		}
		d.outline.Meta[d.text(m.Key)] = d.text(m.Value)
		d.bytes += attrMemory
	}
}

func (d *decoder) unit(u *Unit) sdk.Unit {
	unit := sdk.Unit{
		Depth:  int(u.Depth),
		Kind:   kinds.value(u.Kind),
		Span:   span(u.Start, u.End),
		Name:   d.text(u.Name),
		Lang:   d.text(u.Lang),
		Cut:    cuts.value(u.Cut),
		Clings: u.Clings,
		Border: u.Border,
	}
	if len(u.Context) > 0 {
		unit.Context = make([]sdk.Context, len(u.Context))
		for i, c := range u.Context {
			unit.Context[i] = sdk.Context{Span: span(c.Start, c.End), Role: roles.value(c.Role)}
		}
	}
	if len(u.Cells) > 0 {
		unit.Cells = make([]sdk.Cell, len(u.Cells))
		for i, c := range u.Cells {
			unit.Cells[i] = sdk.Cell{Span: span(c.Start, c.End), Value: d.text(c.Value)}
		}
	}
	if len(u.Attrs) > 0 {
		unit.Attrs = make(map[sdk.AttrKey]string, len(u.Attrs))
		for _, a := range u.Attrs {
			unit.Attrs[attrKeys.value(a.Key)] = d.text(a.Value)
		}
	}
	d.bytes += int64(unitMemory + contextMemory*len(u.Context) + cellMemory*len(u.Cells) + attrMemory*len(u.Attrs))
	return unit
}

// end compares what was announced with what came.
func (d *decoder) end(end *End) error {
	if got := uint64(d.units); got != end.Units {
		return broken("it sent %d units and says that it sent %d", got, end.Units)
	}
	if got := uint64(len(d.outline.Text)); got != end.TextBytes {
		return broken("it sent %d bytes of text and says that it sent %d", got, end.TextBytes)
	}
	d.outline.Units = d.joined()
	return nil
}

func (d *decoder) joined() []sdk.Unit {
	if len(d.batches) == 1 {
		return d.batches[0]
	}
	return slices.Concat(d.batches...)
}

func (d *decoder) text(b []byte) string {
	d.bytes += int64(len(b))
	return string(b)
}

func span(start, end int64) sdk.Span { return sdk.Span{Start: int(start), End: int(end)} }

// refusalError keeps the code where it is one of ours.
func refusalError(r *Refusal) error {
	for _, code := range sdk.Codes() {
		if string(code) == r.Code {
			return &sdk.Error{Code: code, Message: string(r.Message)}
		}
	}
	return &sdk.Error{Code: sdk.CodePluginRefused, Message: string(r.Message)}
}

// BrokenError says how a plugin broke the contract.
type BrokenError struct{ What string }

func (e *BrokenError) Error() string { return e.What }

func broken(format string, args ...any) *BrokenError {
	return &BrokenError{What: fmt.Sprintf(format, args...)}
}
