package daemon

import (
	"context"
	"errors"
	"slices"

	"github.com/cleave-project/cleave/core/answer"
	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// Show gives one chunk by its ID, or a document by source and path.
func (d *daemon) Show(ctx context.Context, _ control.Caller, r control.ShowRequest) (control.ShowAnswer, error) {
	if r.ID != "" {
		return d.showChunk(ctx, r)
	}
	s, err := d.named(r.Source)
	if err != nil {
		return control.ShowAnswer{}, err
	}
	pin, err := s.pin(ctx, r.Generation)
	if err != nil {
		return control.ShowAnswer{}, err
	}
	defer pin.Release()
	path := object.Path(r.Path)
	entry, ok, err := pin.Lookup(ctx, path)
	if err != nil {
		return control.ShowAnswer{}, err
	}
	if !ok {
		return control.ShowAnswer{}, control.NotFound("no such document in generation %d (cleave ls %s)", pin.Generation().Number, s.name)
	}
	doc, err := s.document(ctx, pin, object.Item{Path: path, Entry: entry})
	if err != nil {
		return control.ShowAnswer{}, err
	}
	return s.show(ctx, pin, doc, r.EmbedText)
}

func (s *source) show(ctx context.Context, pin *store.Pin, doc *answer.Document, embed bool) (control.ShowAnswer, error) {
	refusal, err := s.refusal(ctx, doc)
	if err != nil || doc.ID.IsZero() {
		wired := doc.Wire()
		wired.Bytes, wired.Coords = doc.Entry.Bytes, string(object.CoordsSource)
		return control.ShowAnswer{Document: wired, Error: refusal}, err
	}
	chunks, err := pin.Chunks(ctx, doc.Record)
	if err != nil {
		return control.ShowAnswer{}, err
	}
	if embed {
		if err := readText(doc); err != nil {
			return control.ShowAnswer{}, err
		}
	}
	out, err := doc.Show(chunks)
	out.Error = refusal
	return out, err
}

// refusal is why a stale or failed document has no newer version.
func (s *source) refusal(ctx context.Context, doc *answer.Document) (*control.Refusal, error) {
	if doc.Entry.State == object.StateCurrent {
		return nil, nil
	}
	f, ok, err := s.deps.Store.Failure(ctx, s.name, doc.Path)
	if err != nil || !ok { // carried: nothing is wrong with the document itself, and status says what could not be read
		return nil, err
	}
	return &control.Refusal{Code: f.Code, Message: f.Message}, nil
}

// showChunk looks for a chunk in what is served, or in the generation that is named.
func (d *daemon) showChunk(ctx context.Context, r control.ShowRequest) (control.ShowAnswer, error) {
	id, err := object.ParseID(r.ID)
	if err != nil {
		return control.ShowAnswer{}, control.Usage("%v (SOURCE:PATH shows a document)", err)
	}
	chosen := d.sources
	if r.Source != "" {
		s, err := d.source(r.Source)
		if err != nil {
			return control.ShowAnswer{}, err
		}
		chosen = []*source{s}
	}
	for _, s := range chosen {
		if _, ok := s.generation(); !ok {
			continue
		}
		a, found, err := s.findChunk(ctx, id, r)
		if isNotFound(err) {
			continue // this source never had that generation; another may
		}
		if err != nil || found {
			return a, err
		}
	}
	return control.ShowAnswer{}, control.NotFound("no chunk %s in what is served (an ID names a place in one revision)", id)
}

func isNotFound(err error) bool {
	var e *control.Error
	return errors.As(err, &e) && e.Exit == control.ExitNothing
}

// findChunk looks where the table of IDs says; in an older generation, which has none, everywhere.
func (s *source) findChunk(ctx context.Context, id object.ID, r control.ShowRequest) (control.ShowAnswer, bool, error) {
	pin, err := s.pin(ctx, r.Generation)
	if err != nil {
		return control.ShowAnswer{}, false, err
	}
	defer pin.Release()
	candidates := pin.All(ctx)
	if r.Generation == 0 {
		if candidates, err = s.ids.candidates(ctx, s, pin, id); err != nil {
			return control.ShowAnswer{}, false, err
		}
	}
	for item, err := range candidates {
		if err != nil {
			return control.ShowAnswer{}, false, err
		}
		if a, found, err := s.chunkIn(ctx, pin, item, id, r); found || err != nil {
			return a, found, err
		}
	}
	return control.ShowAnswer{}, false, nil
}

// chunkIn looks for a chunk in one document.
func (s *source) chunkIn(ctx context.Context, pin *store.Pin, item object.Item, id object.ID, r control.ShowRequest) (control.ShowAnswer, bool, error) {
	if item.Entry.Doc.IsZero() {
		return control.ShowAnswer{}, false, nil
	}
	record, err := pin.Document(ctx, item.Entry.Doc)
	if err != nil {
		return control.ShowAnswer{}, false, err
	}
	chunks, err := pin.Chunks(ctx, record)
	if err != nil {
		return control.ShowAnswer{}, false, err
	}
	i := slices.IndexFunc(chunks, func(c object.Chunk) bool { return s.chunkID(item.Path, item.Entry.Doc, c) == id })
	if i < 0 {
		return control.ShowAnswer{}, false, nil
	}
	doc, err := s.document(ctx, pin, item)
	if err != nil {
		return control.ShowAnswer{}, false, err
	}
	a, err := showOne(doc, chunks, i, r.EmbedText)
	return a, true, err
}

func showOne(doc *answer.Document, chunks []object.Chunk, i int, embed bool) (control.ShowAnswer, error) {
	if embed {
		if err := readText(doc); err != nil {
			return control.ShowAnswer{}, err
		}
	}
	c, err := doc.Chunk(chunks[i], placeOf(chunks, i))
	return control.ShowAnswer{Document: doc.Wire(), Chunk: &c}, err
}

// placeOf says where the i-th of a document's chunks stands.
func placeOf(chunks []object.Chunk, i int) answer.Place {
	p := answer.Place{Index: i}
	if i > 0 {
		p.Prev = &chunks[i-1]
	}
	if i+1 < len(chunks) {
		p.Next = &chunks[i+1]
	}
	return p
}
