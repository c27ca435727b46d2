package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"

	"github.com/cleave-project/cleave/core/object"
)

// Head is the source's newest acknowledged generation, ErrNoGeneration if it has none.
func (s *Store) Head(ctx context.Context, source object.Source) (object.Generation, error) {
	if err := ctx.Err(); err != nil {
		return object.Generation{}, err
	}
	h, err := s.head(source)
	return h.generation, err
}

func (s *Store) head(source object.Source) (head, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return head{}, ErrClosed
	}
	if err := s.refused[source]; err != nil {
		return head{}, err
	}
	h, ok := s.heads[source]
	if !ok {
		return head{}, fmt.Errorf("source %s: %w", source, ErrNoGeneration)
	}
	return h, nil
}

// Generations are the source's generations, newest first, each verified against the hash in the one after it; none
// is no error.
func (s *Store) Generations(ctx context.Context, source object.Source) ([]object.Generation, error) {
	h, err := s.head(source)
	if errors.Is(err, ErrNoGeneration) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := []object.Generation{h.generation}
	for g := h.generation; !g.Parent.IsZero(); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		parent, id, err := s.generation(source, g.Number-1)
		if err == nil && id != g.Parent {
			err = &DamageError{ID: g.Parent, Why: "the record of its number has another hash"}
		}
		if err != nil {
			return nil, fmt.Errorf("generation %d of source %s: %w", g.Number-1, source, err)
		}
		out = append(out, parent)
		g = parent
	}
	return out, nil
}

// generation reads a generation record and its ID.
func (s *Store) generation(source object.Source, number uint64) (object.Generation, object.ID, error) {
	key := generationKey(source, number)
	data, err := s.sealed(key)
	if err != nil {
		return object.Generation{}, object.ID{}, damagedKey(key, err)
	}
	g, err := object.DecodeGeneration(data)
	if err == nil && (g.Source != source || g.Number != number) {
		err = fmt.Errorf("it is generation %d of %s", g.Number, g.Source)
	}
	if err != nil {
		return object.Generation{}, object.ID{}, damagedKey(key, err)
	}
	return g, object.Sum(data), nil
}

func damagedKey(key []byte, err error) error {
	if errors.Is(err, ErrClosed) {
		return err
	}
	return &DamageError{Key: string(key), Why: err.Error()}
}

// headValue is the eight bytes of the number, then the record's ID.
func headValue(h head) []byte {
	return append(binary.BigEndian.AppendUint64(nil, h.generation.Number), h.id[:]...)
}

func parseHead(b []byte) (uint64, object.ID, error) {
	var id object.ID
	if len(b) != 8+len(id) {
		return 0, id, fmt.Errorf("a head of %d bytes", len(b))
	}
	copy(id[:], b[8:])
	return binary.BigEndian.Uint64(b), id, nil
}

// loadHeads loads the head of every source that has one or should. If known, each must have reached what the identity
// file says was acknowledged.
func (s *Store) loadHeads(ctx context.Context, known bool) error {
	sources, err := s.headSources()
	if err != nil {
		return fmt.Errorf("list heads: %w", err)
	}
	for source := range s.identity.Acknowledged {
		sources[source] = true
	}
	for source := range sources {
		h, err := s.loadHead(ctx, source)
		if number := h.generation.Number; number > 0 && known && number < s.identity.Acknowledged[source] {
			h, err = head{}, &OldError{Source: source, Head: number, Acknowledged: s.identity.Acknowledged[source]}
		}
		if err != nil {
			s.refused[source] = err
		}
		if h.generation.Number > 0 {
			s.heads[source] = h
		}
	}
	return ctx.Err()
}

func (s *Store) headSources() (map[object.Source]bool, error) {
	sources := map[object.Source]bool{}
	err := s.view(func(txn *badger.Txn) error {
		prefix := headKey("")
		it := txn.NewIterator(badger.IteratorOptions{Prefix: prefix})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			sources[object.Source(bytes.TrimPrefix(it.Item().KeyCopy(nil), prefix))] = true
		}
		return nil
	})
	return sources, err
}

// loadHead reads a head, its record and its root page, and checks that they belong together. Where only the page is at
// fault the head is returned beside the error: a stage can build on it that takes nothing from its tree.
func (s *Store) loadHead(ctx context.Context, source object.Source) (head, error) {
	key := headKey(source)
	data, err := s.sealed(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return head{}, &OldError{Source: source, Acknowledged: s.identity.Acknowledged[source]}
	}
	if err != nil {
		return head{}, damagedKey(key, err)
	}
	number, id, err := parseHead(data)
	if err != nil {
		return head{}, damagedKey(key, err)
	}
	g, have, err := s.generation(source, number)
	if err != nil {
		return head{}, err
	}
	if have != id {
		return head{}, &DamageError{ID: id, Why: "the head names another record"}
	}
	h := head{generation: g, id: id}
	sum, err := s.tree().Summary(ctx, g.Root)
	if err != nil {
		return h, err
	}
	if sum.Counts != g.Counts {
		return h, &DamageError{ID: g.Root, Why: "its counts are not the generation's"}
	}
	return h, nil
}
