package store

import (
	"context"
	"fmt"
	"iter"
	"sync"

	"github.com/cleave-project/cleave/core/object"
)

// Pin is a lease on one generation: until it is released, nothing the generation reaches goes away. Its methods may
// be called from any number of goroutines and answer for that generation, whatever is published meanwhile (I9).
type Pin struct {
	s          *Store
	generation object.Generation
	release    func()
}

// Pin leases a generation; number 0 is the head. ErrNoGeneration if there is none.
func (s *Store) Pin(ctx context.Context, source object.Source, number uint64) (*Pin, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if number != 0 {
		return s.pinNumber(source, number)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refused[source]; err != nil {
		return nil, err
	}
	h, ok := s.heads[source]
	switch {
	case s.closed:
		return nil, ErrClosed
	case !ok:
		return nil, fmt.Errorf("source %s: %w", source, ErrNoGeneration)
	}
	return s.pinLocked(h.generation), nil
}

func (s *Store) pinNumber(source object.Source, number uint64) (*Pin, error) {
	h, err := s.head(source)
	if err != nil {
		return nil, err
	}
	if number > h.generation.Number {
		return nil, fmt.Errorf("generation %d of source %s: %w", number, source, ErrNoGeneration)
	}
	g := h.generation
	if number < g.Number {
		if g, _, err = s.generation(source, number); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pinLocked(g), nil
}

func (s *Store) pinLocked(g object.Generation) *Pin {
	if s.pins[g.Source] == nil {
		s.pins[g.Source] = map[uint64]int{}
	}
	s.pins[g.Source][g.Number]++
	return &Pin{s: s, generation: g, release: sync.OnceFunc(func() { s.unpin(g.Source, g.Number) })}
}

func (s *Store) unpin(source object.Source, number uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pins[source][number]--
	if s.pins[source][number] == 0 {
		delete(s.pins[source], number)
	}
}

// Release ends the lease. It may be called more than once.
func (p *Pin) Release() { p.release() }

// Generation is the pinned generation.
func (p *Pin) Generation() object.Generation { return p.generation }

// Lookup finds the entry of one path.
func (p *Pin) Lookup(ctx context.Context, path object.Path) (object.Entry, bool, error) {
	return p.s.tree().Lookup(ctx, p.generation.Root, path)
}

// All gives every entry in the order of the paths' bytes. The first error ends it.
func (p *Pin) All(ctx context.Context) iter.Seq2[object.Item, error] {
	return p.s.tree().Walk(ctx, p.generation.Root)
}

// Diff gives the changes from the tree with the given root, zero for the empty one, to this generation, in the order
// of the paths' bytes. Equal subtrees are not read. The caller holds a pin of the other generation.
func (p *Pin) Diff(ctx context.Context, from object.ID) iter.Seq2[object.Change, error] {
	return p.s.tree().Diff(ctx, from, p.generation.Root)
}
