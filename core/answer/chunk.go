package answer

import (
	"fmt"
	"strings"

	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/object"
)

// Place is where a chunk stands in its document. Prev and Next are nil at the ends.
type Place struct {
	Index      int
	Prev, Next *object.Chunk
}

// Chunks gives all chunks of the document, which are in order.
func (d *Document) Chunks(chunks []object.Chunk) ([]control.Chunk, error) {
	out := make([]control.Chunk, len(chunks))
	for i := range chunks {
		at := Place{Index: i}
		if i > 0 {
			at.Prev = &chunks[i-1]
		}
		if i+1 < len(chunks) {
			at.Next = &chunks[i+1]
		}
		c, err := d.Chunk(chunks[i], at)
		if err != nil {
			return nil, err
		}
		out[i] = c
	}
	return out, nil
}

// Chunk gives one chunk of the document.
func (d *Document) Chunk(c object.Chunk, at Place) (control.Chunk, error) {
	path, raw := control.Readable(string(d.Path))
	w := control.Chunk{
		ID: d.ChunkID(c), Source: string(d.Source), Path: path, PathB64: raw,
		Revision: hash(d.Record.Revision), Generation: d.Generation, Index: at.Index,
		Start: c.Span.Start, End: c.Span.End, StartLine: c.StartLine, EndLine: c.EndLine,
		Breadcrumb: c.Breadcrumb, Kind: c.Kind, Lang: c.Lang, MediaType: d.Record.MediaType, Page: c.Page,
		Tokens: c.Tokens, EmbedHash: hash(c.EmbedHash), Coords: string(d.Record.Coords), Origin: d.origin(c.Span),
		Tokenizer: d.Record.Policy.Tokenizer, Plugin: d.plugin(), Policy: control.Policy(d.Record.Policy),
		Tenant: d.Tenant, Access: access(d.Entry.Access), Author: Author(d.Record.Meta), Date: Date(d.Record.Meta),
		Section: control.Span(c.Section), Attrs: c.Attrs, Modified: Time(d.Entry.Modified),
		EffectiveFrom: d.Entry.EffectiveFrom, EffectiveTo: d.Entry.EffectiveTo, Stale: d.Entry.State == object.StateStale,
	}
	if at.Prev != nil {
		w.Prev = control.Optional(d.ChunkID(*at.Prev))
	}
	if at.Next != nil {
		w.Next = control.Optional(d.ChunkID(*at.Next))
	}
	if err := d.fillText(&w, c); err != nil {
		return control.Chunk{}, fmt.Errorf("chunk %d of %s: %w", at.Index, path, err)
	}
	return w, nil
}

// ChunkID is the chunk's ID at the document's place.
func (d *Document) ChunkID(c object.Chunk) string {
	return object.ChunkID(d.Tenant, d.Source, d.Path, d.ID, c.Span.Start, c.Span.End).String()
}

// fillText reads what of the chunk is text: its own (I4), its context, its embedding text.
func (d *Document) fillText(w *control.Chunk, c object.Chunk) error {
	text, err := d.Text(c.Span.Start, c.Span.End)
	if err != nil {
		return err
	}
	w.Text = string(text)
	for _, x := range c.Context {
		text, err := d.Text(x.Span.Start, x.Span.End)
		if err != nil {
			return err
		}
		w.Context = append(w.Context, control.Context{Start: x.Span.Start, End: x.Span.End, Text: string(text), Role: x.Role})
	}
	for _, x := range c.Dropped {
		w.ContextDropped = append(w.ContextDropped, control.Context{Start: x.Span.Start, End: x.Span.End, Role: x.Role})
	}
	if d.EmbedText == nil {
		return nil
	}
	embed, err := d.EmbedText(c)
	w.EmbedText = string(embed)
	return err
}

// access is the file system's policy as people read it; empty where nothing is known of it, as in split.
func access(a object.Access) string {
	if a == (object.Access{}) {
		return ""
	}
	return fmt.Sprintf("mode:%04o uid:%d gid:%d", a.Mode, a.UID, a.GID)
}

// Author is who a document's front matter or properties say wrote it.
func Author(meta map[string]string) string { return first(meta, "author", "authors", "creator") }

// Date is the date that a document's front matter or properties give, as they write it, in the order in which the index
// looks for it, so that what is shown is what is filtered by. When it was changed last is the weakest statement (B4).
func Date(meta map[string]string) string {
	return first(meta, "date", "published", "created", "lastmod")
}

// first is the value of the first key that meta has, in any case of letters.
func first(meta map[string]string, keys ...string) string {
	for _, key := range keys {
		if v := meta[key]; v != "" {
			return v
		}
		best := ""
		for k := range meta { // several spellings of one key: the smallest, so that map order does not show (I7)
			if strings.EqualFold(k, key) && meta[k] != "" && (best == "" || k < best) {
				best = k
			}
		}
		if best != "" {
			return meta[best]
		}
	}
	return ""
}
