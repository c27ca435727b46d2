package answer

import (
	"fmt"
	"time"

	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/object"
)

// Document is a document record with its place and the means to read its text. It may be used by several goroutines
// where its functions may.
type Document struct {
	Tenant     string
	Source     object.Source // empty in split
	Path       object.Path   // the base name in split
	Generation uint64        // 0 in split
	Entry      object.Entry  // zero in split
	ID         object.ID     // hash of Record
	Record     object.Document
	PluginSHA  string // checksum of the plugin's binary, hexadecimal
	// Segments of an extracted text: all of them, in order. Empty where Record.Coords is source.
	Segments []object.Segment
	// Text reads a half-open range of the document's text.
	Text func(start, end int64) ([]byte, error)
	// EmbedText gives a chunk's embedding text. Nil: answers carry none.
	EmbedText func(object.Chunk) ([]byte, error)
}

// Wire is the document as split and show head their answers with it.
func (d *Document) Wire() control.Document {
	path, raw := control.Readable(string(d.Path))
	return control.Document{
		Path: path, PathB64: raw,
		Revision:  hash(d.Record.Revision),
		Bytes:     d.Record.Bytes,
		MediaType: d.Record.MediaType,
		Lang:      d.Record.Lang,
		Title:     d.Record.Title,
		Encoding:  d.Record.Encoding,
		Plugin:    d.plugin(),
		Coords:    string(d.Record.Coords),
	}
}

// Listed is the document as ls shows it. For a document that never had a good version Record is zero.
func (d *Document) Listed() control.ListDocument {
	path, raw := control.Readable(string(d.Path))
	return control.ListDocument{
		Path: path, PathB64: raw,
		Revision:      hash(d.Record.Revision),
		Bytes:         d.Entry.Bytes,
		Chunks:        d.Entry.Chunks,
		State:         State(d.Entry.State),
		MediaType:     d.Record.MediaType,
		Plugin:        d.plugin(),
		Modified:      Time(d.Entry.Modified),
		EffectiveFrom: d.Entry.EffectiveFrom,
		EffectiveTo:   d.Entry.EffectiveTo,
	}
}

// Split is the answer to split, for all chunks of the document in order.
func (d *Document) Split(chunks []object.Chunk) (control.SplitAnswer, error) {
	wired, err := d.Chunks(chunks)
	if err != nil {
		return control.SplitAnswer{}, err
	}
	return control.SplitAnswer{
		Document: d.Wire(), Chunks: wired, Skipped: d.skipped(), Warnings: d.warnings(),
		StorageRatio: ratio(chunks, d.Record.TextLen), CutSentences: spans(d.Record.Cut),
	}, nil
}

// Show is the answer to show of a whole document.
func (d *Document) Show(chunks []object.Chunk) (control.ShowAnswer, error) {
	wired, err := d.Chunks(chunks)
	if err != nil {
		return control.ShowAnswer{}, err
	}
	return control.ShowAnswer{Document: d.Wire(), Chunks: wired, Skipped: d.skipped(), Warnings: d.warnings(),
		CutSentences: spans(d.Record.Cut)}, nil
}

func (d *Document) plugin() control.Plugin {
	return control.Plugin{Name: d.Record.Plugin.Name, Version: d.Record.Plugin.Version, SHA256: d.PluginSHA}
}

func (d *Document) skipped() []control.Skipped {
	out := make([]control.Skipped, len(d.Record.Skips))
	for i, s := range d.Record.Skips {
		out[i] = control.Skipped{Start: s.Span.Start, End: s.Span.End, Reason: s.Reason}
	}
	return out
}

func (d *Document) warnings() []control.Warning {
	out := make([]control.Warning, len(d.Record.Warnings))
	for i, w := range d.Record.Warnings {
		out[i] = control.Warning{Code: w.Code, Message: w.Message}
		if w.Span != (object.Span{}) {
			out[i].Start = &w.Span.Start
		}
	}
	return out
}

// ratio is what overlap costs: indexed bytes / bytes of text, about s/(s-o) (A4).
func ratio(chunks []object.Chunk, text int64) float64 {
	if text == 0 {
		return 0
	}
	var indexed int64
	for _, c := range chunks {
		indexed += c.Span.End - c.Span.Start
	}
	return float64(indexed) / float64(text)
}

func spans(in []object.Span) []control.Span {
	out := make([]control.Span, len(in))
	for i, s := range in {
		out[i] = control.Span(s)
	}
	return out
}

// State is a state's name.
func State(s object.State) string {
	switch s {
	case object.StateCurrent:
		return "current"
	case object.StateStale:
		return "stale"
	case object.StateFailed:
		return "failed"
	}
	return fmt.Sprintf("state %d", s)
}

// Time is a time in nanoseconds since 1970 as RFC 3339, in UTC and to the second; 0 is none.
func Time(nanoseconds int64) control.Optional {
	if nanoseconds == 0 {
		return ""
	}
	return control.Optional(time.Unix(0, nanoseconds).UTC().Format(time.RFC3339))
}

// hash is an ID's digits; none for the zero ID.
func hash(id object.ID) string {
	if id.IsZero() {
		return ""
	}
	return id.String()
}
