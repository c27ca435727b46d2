package store

import (
	"context"
	"fmt"
	"sync"

	"github.com/dgraph-io/badger/v4"

	"github.com/cleave-project/cleave/core/object"
)

const (
	// pendingTxns bounds what a stage keeps in flight: Badger's default of 16 transactions of 2.4 MiB is 38 MiB.
	pendingTxns = 3
	// roomEvery is how many bytes a stage writes between two looks at the free space, far less than any reserve.
	roomEvery = 8 << 20
)

// Stage collects the objects of a source's next generation. They are garbage until Publish has moved the head.
type Stage struct {
	s         *Store
	source    object.Source
	parent    head
	hasParent bool

	mu        sync.Mutex // guards what follows; WriteBatch has a lock of its own, but not for being used up
	batch     *badger.WriteBatch
	put       map[object.ID]bool // what this stage has put or found to be there
	summed    map[object.ID]bool // documents whose plugin's checksum this stage has put or found to be there
	unchecked int                // bytes written since the last look at the free space
	written   int64              // bytes of keys and values
	ended     bool
}

// Stage runs f with a new stage of the source and ends it when f returns; the stage must not be used after that. Only
// one stage of a source is open at a time: ErrBusy. What f returns is returned.
func (s *Store) Stage(ctx context.Context, source object.Source, f func(*Stage) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.writable(); err != nil {
		return err
	}
	if err := s.begin(); err != nil {
		return err
	}
	defer s.active.Done()
	st, err := s.enter(source)
	if err != nil {
		return err
	}
	defer s.leave(st)
	return f(st)
}

func (s *Store) enter(source object.Source) (*Stage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	parent, hasParent := s.heads[source]
	if err := s.refused[source]; err != nil && !hasParent {
		return nil, err
	}
	if s.staging[source] {
		return nil, fmt.Errorf("source %s: %w", source, ErrBusy)
	}
	s.staging[source] = true
	st := &Stage{s: s, source: source, put: map[object.ID]bool{}, summed: map[object.ID]bool{}, batch: s.db.NewWriteBatch()}
	st.batch.SetMaxPendingTxns(pendingTxns)
	st.parent, st.hasParent = parent, hasParent
	return st, nil
}

func (s *Store) leave(st *Stage) {
	st.mu.Lock()
	st.ended = true
	st.batch.Cancel()
	st.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.staging, st.source)
}

// Parent is the generation that the stage builds on, if there is one.
func (st *Stage) Parent() (object.Generation, bool) { return st.parent.generation, st.hasParent }

// Written is how many bytes of keys and values the stage has written so far.
func (st *Stage) Written() int64 {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.written
}

func (st *Stage) count(n int) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.written += int64(n)
}

// PutDocument writes a document's text, chunks and segments, and its record, whose Text, TextLen, Chunks, NumChunks
// and Segments it fills in. The ID is what an entry names. It may be called from several goroutines and keeps nothing
// of what it is given.
func (st *Stage) PutDocument(ctx context.Context, doc object.Document, text []byte, chunks []object.Chunk,
	segments []object.Segment) (object.ID, error) {
	for i, c := range chunks { // I4 is the packer's to hold; a span outside the text would only be found when read
		if c.Span.Start < 0 || c.Span.End < c.Span.Start || c.Span.End > int64(len(text)) {
			return object.ID{}, fmt.Errorf("chunk %d: span [%d,%d) of %d bytes", i, c.Span.Start, c.Span.End, len(text))
		}
	}
	doc.TextLen, doc.NumChunks = int64(len(text)), len(chunks)
	var err error
	if doc.Text, err = putPages(ctx, st, text, object.BlockSize, object.EncodeText); err != nil {
		return object.ID{}, fmt.Errorf("put text: %w", err)
	}
	if doc.Chunks, err = putPages(ctx, st, chunks, object.ChunksPerPage, object.EncodeChunks); err != nil {
		return object.ID{}, fmt.Errorf("put chunks: %w", err)
	}
	if doc.Segments, err = putPages(ctx, st, segments, object.SegmentsPerPage, object.EncodeSegments); err != nil {
		return object.ID{}, fmt.Errorf("put segments: %w", err)
	}
	data, err := object.EncodeDocument(doc)
	if err != nil {
		return object.ID{}, err
	}
	return st.putObject(data)
}

// putPages writes a list in pages of at most size elements and returns their IDs.
func putPages[T any](ctx context.Context, st *Stage, list []T, size int, enc func([]T) ([]byte, error)) ([]object.ID, error) {
	var ids []object.ID
	for len(list) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := min(size, len(list))
		data, err := enc(list[:n])
		if err != nil {
			return nil, err
		}
		id, err := st.putObject(data)
		if err != nil {
			return nil, err
		}
		ids, list = append(ids, id), list[n:]
	}
	return ids, nil
}

// putObject writes an object unless it is there, whole. Data is kept until the batch is written.
func (st *Stage) putObject(data []byte) (object.ID, error) {
	id := object.Sum(data)
	there, err := st.there(id)
	if err != nil || there {
		return id, err
	}
	if err := st.write(objectKey(id), data); err != nil {
		return id, err
	}
	st.mu.Lock()
	st.put[id] = true
	st.mu.Unlock()
	return id, nil
}

// there tells whether an object is in the stage or in the store.
func (st *Stage) there(id object.ID) (bool, error) {
	st.mu.Lock()
	known := st.put[id]
	st.mu.Unlock()
	if known {
		return true, nil
	}
	ok, err := st.s.has(id)
	if ok {
		st.mu.Lock()
		st.put[id] = true
		st.mu.Unlock()
	}
	return ok, err
}

// PutOutline caches an outline under the hash of all it depends on. It stays whether or not the stage is published.
func (st *Stage) PutOutline(ctx context.Context, key object.ID, data []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return st.write(outlineKey(key), outlineValue(data))
}

func (st *Stage) write(key, data []byte) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	if err := st.readyLocked(len(data)); err != nil {
		return err
	}
	return st.s.writeValue(key, data, st.setLocked)
}

// readyLocked tells whether n more bytes may be written.
func (st *Stage) readyLocked(n int) error {
	if st.ended {
		return fmt.Errorf("stage of source %s: used after its end", st.source)
	}
	if st.unchecked += n; st.unchecked >= roomEvery {
		if err := st.s.writable(); err != nil {
			return err
		}
		st.unchecked = 0
	}
	return nil
}

func (st *Stage) setLocked(k, v []byte) error {
	st.written += int64(len(k) + len(v))
	if err := st.batch.Set(k, v); err != nil {
		return st.s.fence(err)
	}
	return nil
}

// flush hands everything written to Badger and takes a new batch.
func (st *Stage) flush() error {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.ended {
		return fmt.Errorf("stage of source %s: used after its end", st.source)
	}
	if err := st.batch.Flush(); err != nil {
		return st.s.fence(err)
	}
	st.batch = st.s.db.NewWriteBatch()
	st.batch.SetMaxPendingTxns(pendingTxns)
	return nil
}
