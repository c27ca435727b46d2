package answer

import (
	"sort"

	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/object"
)

// origin leads from a span of extracted text to the stored file: for each segment that the span touches its part of the
// file, neighbours joined. A segment of unequal lengths is atomic, so any part of it leads to all of it.
func (d *Document) origin(s object.Span) []control.Origin {
	if d.Record.Coords != object.CoordsExtracted {
		return nil
	}
	from := sort.Search(len(d.Segments), func(i int) bool { return d.Segments[i].Text.End > s.Start })
	var out []control.Origin
	for _, seg := range d.Segments[from:] {
		if seg.Text.Start >= s.End {
			break
		}
		o := part(seg, s)
		if n := len(out); n > 0 && joins(out[n-1], o) {
			out[n-1].End = o.End
			continue
		}
		out = append(out, o)
	}
	return out
}

// part is what of the file seg gives to s, which it touches.
func part(seg object.Segment, s object.Span) control.Origin {
	o := control.Origin{Page: seg.Page, Cell: seg.Cell}
	if seg.Source == (object.Span{}) {
		return o // the format has no byte addresses
	}
	start, end := seg.Source.Start, seg.Source.End
	if end-start == seg.Text.End-seg.Text.Start {
		end = start + min(s.End, seg.Text.End) - seg.Text.Start
		start += max(s.Start, seg.Text.Start) - seg.Text.Start
	}
	o.Start, o.End = &start, &end
	return o
}

// joins tells whether b goes on where a ends.
func joins(a, b control.Origin) bool {
	if a.Page != b.Page || a.Cell != b.Cell || (a.Start == nil) != (b.Start == nil) {
		return false
	}
	return a.Start == nil || *a.End == *b.Start
}
