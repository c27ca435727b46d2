package wire

import (
	"fmt"
	"maps"
	"slices"

	"github.com/cleave-project/cleave/sdk"
)

// encoder packs an outline into as few replies as Frame and Batch allow: a small outline is one reply.
type encoder struct {
	send  func(*SplitReply) error
	reply *SplitReply
	// size is about what reply takes on the wire: the bytes it carries plus a flat rate for numbers.
	size int
	// slab is where the units of the current reply lie; one allocation for a batch.
	slab []Unit
}

// Flat rates for the numbers in a message: tags and varints, rounded up.
const (
	unitRate    = 40
	spanRate    = 16
	segmentRate = 32
)

// sendOutline sends a whole outline. A value that is in none of sdk's lists is an error that names the unit.
func sendOutline(o sdk.Outline, send func(*SplitReply) error) error {
	e := &encoder{send: send, reply: &SplitReply{}}
	e.head(o)
	if err := e.text(o.Text); err != nil {
		return err
	}
	if err := e.units(o.Units); err != nil {
		return err
	}
	if err := e.rest(o); err != nil {
		return err
	}
	e.reply.End = &End{Units: uint64(len(o.Units)), TextBytes: uint64(len(o.Text))}
	return e.send(e.reply)
}

func (e *encoder) head(o sdk.Outline) {
	head := &OutlineHead{Title: []byte(o.Title), Language: []byte(o.Language), Extracted: o.Text != nil}
	for _, key := range slices.Sorted(maps.Keys(o.Meta)) {
		head.Meta = append(head.Meta, &MetaEntry{Key: []byte(key), Value: []byte(o.Meta[key])})
		e.size += len(key) + len(o.Meta[key]) + spanRate
	}
	e.reply.Head = head
}

func (e *encoder) text(text []byte) error {
	for len(text) > 0 {
		n := min(len(text), Frame)
		if err := e.room(n); err != nil {
			return err
		}
		e.reply.Text = text[:n]
		text = text[n:]
		if len(text) > 0 { // a reply has one run of text
			if err := e.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *encoder) units(units []sdk.Unit) error {
	for i := range units {
		if err := e.room(unitSize(&units[i])); err != nil {
			return err
		}
		if len(e.reply.Units) == Batch {
			if err := e.flush(); err != nil {
				return err
			}
		}
		if len(e.slab) == 0 {
			e.slab = make([]Unit, min(len(units)-i, Batch))
		}
		u := &e.slab[0]
		e.slab = e.slab[1:]
		if err := fillUnit(u, &units[i]); err != nil {
			return fmt.Errorf("unit %d at %d: %w", i, units[i].Span.Start, err)
		}
		e.reply.Units = append(e.reply.Units, u)
	}
	return nil
}

func (e *encoder) rest(o sdk.Outline) error {
	for _, s := range o.Segments {
		if err := e.room(segmentRate + len(s.Cell)); err != nil {
			return err
		}
		e.reply.Segments = append(e.reply.Segments, &Segment{Start: int64(s.Text.Start), End: int64(s.Text.End),
			SourceStart: int64(s.Source.Start), SourceEnd: int64(s.Source.End), Page: int32(s.Page), Cell: []byte(s.Cell)})
	}
	for _, s := range o.Skips {
		reason, err := skipReasons.enum(s.Reason)
		if err != nil {
			return fmt.Errorf("skip at %d: %w", s.Span.Start, err)
		}
		if err := e.room(spanRate); err != nil {
			return err
		}
		e.reply.Skips = append(e.reply.Skips, &Skip{Start: int64(s.Span.Start), End: int64(s.Span.End), Reason: reason})
	}
	for _, w := range o.Warnings {
		code, err := warnings.enum(w.Code)
		if err != nil {
			return fmt.Errorf("warning at %d: %w", w.Span.Start, err)
		}
		if err := e.room(spanRate + len(w.Message)); err != nil {
			return err
		}
		e.reply.Warnings = append(e.reply.Warnings, &Warning{Code: code, Message: []byte(w.Message),
			Start: int64(w.Span.Start), End: int64(w.Span.End)})
	}
	return nil
}

// room sends the reply at hand where n more bytes would make it larger than a frame.
func (e *encoder) room(n int) error {
	if e.size > 0 && e.size+n > Frame {
		if err := e.flush(); err != nil {
			return err
		}
	}
	e.size += n
	return nil
}

func (e *encoder) flush() error {
	err := e.send(e.reply)
	e.reply, e.size = &SplitReply{}, 0
	return err
}

func unitSize(u *sdk.Unit) int {
	n := unitRate + len(u.Name) + len(u.Lang) + spanRate*(len(u.Context)+len(u.Cells)+len(u.Attrs))
	for _, c := range u.Cells {
		n += len(c.Value)
	}
	for _, v := range u.Attrs {
		n += len(v)
	}
	return n
}

func fillUnit(to *Unit, u *sdk.Unit) (err error) {
	to.Depth = int32(u.Depth)
	to.Start, to.End = int64(u.Span.Start), int64(u.Span.End)
	to.Name, to.Lang = []byte(u.Name), []byte(u.Lang)
	to.Clings, to.Border = u.Clings, u.Border
	if to.Kind, err = kinds.enum(u.Kind); err != nil {
		return err
	}
	if to.Cut, err = cuts.enum(u.Cut); err != nil {
		return err
	}
	for _, c := range u.Context {
		role, err := roles.enum(c.Role)
		if err != nil {
			return err
		}
		to.Context = append(to.Context, &Context{Start: int64(c.Span.Start), End: int64(c.Span.End), Role: role})
	}
	for _, c := range u.Cells {
		to.Cells = append(to.Cells, &Cell{Start: int64(c.Span.Start), End: int64(c.Span.End), Value: []byte(c.Value)})
	}
	for _, key := range slices.Sorted(maps.Keys(u.Attrs)) {
		k, err := attrKeys.enum(key)
		if err != nil {
			return err
		}
		to.Attrs = append(to.Attrs, &Attr{Key: k, Value: []byte(u.Attrs[key])})
	}
	return nil
}
