package daemon

import (
	"context"

	"github.com/cleave-project/cleave/core/answer"
	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// defaultTenant is the only tenant of this version.
const defaultTenant = "default"

// document reads one document of a pinned generation, with the checksum of the plugin that made its record (B2). The
// record is zero where it never had a good version.
func (s *source) document(ctx context.Context, pin *store.Pin, item object.Item) (*answer.Document, error) {
	doc := &answer.Document{
		Tenant: defaultTenant, Source: s.name, Path: item.Path, Generation: pin.Generation().Number, Entry: item.Entry, ID: item.Entry.Doc,
	}
	if item.Entry.Doc.IsZero() {
		return doc, nil
	}
	var err error
	if doc.PluginSHA, _, err = s.deps.Store.Checksum(ctx, doc.ID); err != nil {
		return nil, err
	}
	if doc.Record, err = pin.Document(ctx, item.Entry.Doc); err != nil {
		return nil, err
	}
	if doc.Segments, err = pin.Segments(ctx, doc.Record); err != nil {
		return nil, err
	}
	doc.Text = func(start, end int64) ([]byte, error) { return pin.Text(ctx, doc.Record, start, end) }
	return doc, nil
}

// readText reads the document's whole text, so that its chunks carry their embedding texts.
func readText(doc *answer.Document) error {
	text, err := doc.Text(0, doc.Record.TextLen)
	if err == nil {
		doc.Hold(text)
	}
	return err
}

// wire is all chunks of a document as they cross the socket.
func (s *source) wire(ctx context.Context, pin *store.Pin, doc *answer.Document, embed bool) ([]control.Chunk, error) {
	chunks, err := pin.Chunks(ctx, doc.Record)
	if err != nil {
		return nil, err
	}
	if embed {
		if err := readText(doc); err != nil {
			return nil, err
		}
	}
	return doc.Chunks(chunks)
}
