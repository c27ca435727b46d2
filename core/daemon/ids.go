package daemon

import (
	"context"
	"encoding/binary"
	"iter"
	"sync"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// chunkPaths says in which document a chunk ID may stand. An ID is a hash of its place, so nothing leads from it to the
// place but a table. The table is made when the first ID is asked for, brought up to date by the difference of two trees
// after that, and only ever a hint: whoever uses it looks into the document.
type chunkPaths struct {
	mu    sync.Mutex // guards all below
	root  object.ID  // of the tree that is in the table
	paths map[uint64]object.Path
}

// shortID is the part of an ID that is kept: among a million IDs two that share it are as likely as one in 40 million.
func shortID(id object.ID) uint64 { return binary.BigEndian.Uint64(id[:]) }

// staleShare bounds what documents that have changed leave in the table: it is made anew when it is twice as large as
// what is alive (I13).
const staleShare = 2

func (s *source) chunkID(path object.Path, doc object.ID, c object.Chunk) object.ID {
	return object.ChunkID(defaultTenant, s.name, path, doc, c.Span.Start, c.Span.End)
}

// candidates are the documents of the head that may hold the chunk: one, or none.
func (c *chunkPaths) candidates(ctx context.Context, s *source, head *store.Pin, id object.ID) (iter.Seq2[object.Item, error], error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.follow(ctx, s, head); err != nil {
		return nil, err
	}
	path, ok := c.paths[shortID(id)]
	return func(yield func(object.Item, error) bool) {
		if !ok {
			return
		}
		if entry, ok, err := head.Lookup(ctx, path); ok || err != nil {
			yield(object.Item{Path: path, Entry: entry}, err)
		}
	}, nil
}

func (c *chunkPaths) follow(ctx context.Context, s *source, pin *store.Pin) error {
	g := pin.Generation()
	if c.paths == nil || len(c.paths) > staleShare*g.Counts.Chunks {
		c.paths, c.root = make(map[uint64]object.Path, g.Counts.Chunks), object.ID{}
	}
	for change, err := range pin.Diff(ctx, c.root) {
		if err != nil {
			return err
		}
		if change.New == nil || change.New.Doc.IsZero() {
			continue
		}
		record, err := pin.Document(ctx, change.New.Doc)
		if err != nil {
			return err
		}
		chunks, err := pin.Chunks(ctx, record)
		if err != nil {
			return err
		}
		for _, chunk := range chunks {
			c.paths[shortID(s.chunkID(change.Path, change.New.Doc, chunk))] = change.Path
		}
	}
	c.root = g.Root
	return nil
}
