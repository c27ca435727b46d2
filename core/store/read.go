package store

import (
	"context"
	"fmt"

	"github.com/cleave-project/cleave/core/object"
)

// Document reads a document record.
func (p *Pin) Document(ctx context.Context, id object.ID) (object.Document, error) {
	if err := ctx.Err(); err != nil {
		return object.Document{}, err
	}
	return p.s.document(id)
}

func (s *Store) document(id object.ID) (object.Document, error) {
	data, err := s.get(id)
	if err != nil {
		return object.Document{}, err
	}
	d, err := object.DecodeDocument(data)
	if err != nil {
		return object.Document{}, &DamageError{ID: id, Why: err.Error()}
	}
	return d, nil
}

// Text reads text[start:end] of a document; only the blocks it touches are read.
func (p *Pin) Text(ctx context.Context, doc object.Document, start, end int64) ([]byte, error) {
	if start < 0 || end < start || end > doc.TextLen {
		return nil, fmt.Errorf("text [%d,%d) of %d bytes", start, end, doc.TextLen)
	}
	out := make([]byte, 0, end-start)
	for at := start; at < end; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		block, err := p.s.block(doc, at/object.BlockSize)
		if err != nil {
			return nil, err
		}
		from := at % object.BlockSize
		to := min(int64(len(block)), from+end-at)
		out = append(out, block[from:to]...)
		at += to - from
	}
	return out, nil
}

// block reads block i of a document's text. Every block but the last is full.
func (s *Store) block(doc object.Document, i int64) ([]byte, error) {
	if i >= int64(len(doc.Text)) {
		return nil, fmt.Errorf("text block %d of %d", i, len(doc.Text))
	}
	id := doc.Text[i]
	data, err := s.get(id)
	if err != nil {
		return nil, err
	}
	text, err := object.DecodeText(data)
	if err != nil {
		return nil, &DamageError{ID: id, Why: err.Error()}
	}
	if want := min(object.BlockSize, doc.TextLen-i*object.BlockSize); int64(len(text)) != want {
		return nil, &DamageError{ID: id, Why: fmt.Sprintf("%d bytes of text where %d belong", len(text), want)}
	}
	return text, nil
}

// Chunks reads all chunks of a document in order.
func (p *Pin) Chunks(ctx context.Context, doc object.Document) ([]object.Chunk, error) {
	out := make([]object.Chunk, 0, doc.NumChunks)
	for i := range doc.Chunks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		page, err := p.s.chunkPage(doc, i)
		if err != nil {
			return nil, err
		}
		out = append(out, page...)
	}
	return out, nil
}

// Chunk reads chunk i, counted from 0, and only the page it is on.
func (p *Pin) Chunk(ctx context.Context, doc object.Document, i int) (object.Chunk, error) {
	if err := ctx.Err(); err != nil {
		return object.Chunk{}, err
	}
	if i < 0 || i >= doc.NumChunks {
		return object.Chunk{}, fmt.Errorf("chunk %d of %d", i, doc.NumChunks)
	}
	page, err := p.s.chunkPage(doc, i/object.ChunksPerPage)
	if err != nil {
		return object.Chunk{}, err
	}
	return page[i%object.ChunksPerPage], nil
}

// chunkPage reads page i of a document's chunks. Every page but the last is full.
func (s *Store) chunkPage(doc object.Document, i int) ([]object.Chunk, error) {
	if i >= len(doc.Chunks) {
		return nil, fmt.Errorf("chunk page %d of %d", i, len(doc.Chunks))
	}
	id := doc.Chunks[i]
	data, err := s.get(id)
	if err != nil {
		return nil, err
	}
	page, err := object.DecodeChunks(data)
	if err != nil {
		return nil, &DamageError{ID: id, Why: err.Error()}
	}
	if want := min(object.ChunksPerPage, doc.NumChunks-i*object.ChunksPerPage); len(page) != want {
		return nil, &DamageError{ID: id, Why: fmt.Sprintf("%d chunks where %d belong", len(page), want)}
	}
	return page, nil
}

// Segments reads the map from text to source; none for CoordsSource.
func (p *Pin) Segments(ctx context.Context, doc object.Document) ([]object.Segment, error) {
	var out []object.Segment
	for _, id := range doc.Segments {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		page, err := p.s.segmentPage(id)
		if err != nil {
			return nil, err
		}
		out = append(out, page...)
	}
	return out, nil
}

func (s *Store) segmentPage(id object.ID) ([]object.Segment, error) {
	data, err := s.get(id)
	if err != nil {
		return nil, err
	}
	page, err := object.DecodeSegments(data)
	if err != nil {
		return nil, &DamageError{ID: id, Why: err.Error()}
	}
	return page, nil
}
