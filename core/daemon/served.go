package daemon

import (
	"context"
	"errors"
	"fmt"

	"github.com/cleave-project/cleave/core/index"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// served is one generation that can be asked: its pin, its view, and the index's promise that the view's rows stay.
// Whoever uses one has acquired it and releases it; the source itself holds the newest.
type served struct {
	s    *source
	pin  *store.Pin
	view *index.View
	hold *index.Hold
	refs int // guarded by s.serving
}

func (v *served) release() {
	v.s.serving.Lock()
	defer v.s.serving.Unlock()
	v.releaseLocked()
}

func (v *served) releaseLocked() {
	if v.refs--; v.refs == 0 {
		v.hold.Release()
		v.pin.Release()
	}
}

// errNothingServed: the source has no generation yet.
var errNothingServed = errors.New("nothing was published yet")

// acquire takes a lease on generation number, 0 for the newest (I9). An older one is made ready on demand.
func (s *source) acquire(ctx context.Context, number uint64) (*served, error) {
	s.serving.Lock()
	if v := s.newest; v != nil && (number == 0 || number == v.pin.Generation().Number) {
		v.refs++
		s.serving.Unlock()
		return v, nil
	}
	s.serving.Unlock()
	if number == 0 {
		return nil, errNothingServed
	}
	pin, err := s.deps.Store.Pin(ctx, s.name, number)
	if err != nil {
		return nil, err
	}
	v, err := s.ready(ctx, pin)
	if err != nil {
		pin.Release()
		return nil, err
	}
	return v, nil
}

// ready makes an older generation answer queries.
func (s *source) ready(ctx context.Context, pin *store.Pin) (*served, error) {
	view, err := index.BuildView(ctx, pin)
	if err != nil {
		return nil, err
	}
	hold, err := s.index.Ensure(ctx, pin, view)
	if err != nil {
		return nil, err
	}
	return &served{s: s, pin: pin, view: view, hold: hold, refs: 1}, nil
}

// advance is hop 11: the index follows the head, the view is made, and only then the head is served. Nothing is done
// where the head is served already.
func (s *source) advance(ctx context.Context) error {
	pin, err := s.deps.Store.Pin(ctx, s.name, 0)
	if errors.Is(err, store.ErrNoGeneration) {
		return nil
	}
	if err != nil {
		return err
	}
	if g, ok := s.generation(); ok && g.Number == pin.Generation().Number {
		pin.Release()
		return nil
	}
	next, err := s.follow(ctx, pin)
	if err != nil {
		pin.Release()
		return fmt.Errorf("index generation %d: %w", pin.Generation().Number, err)
	}
	s.serving.Lock()
	old := s.newest
	s.newest = next
	if old != nil {
		old.releaseLocked()
	}
	s.serving.Unlock()
	if err := s.index.Sweep(ctx, next.view); err != nil {
		return fmt.Errorf("sweep index: %w", err)
	}
	return nil
}

// follow brings the index to pin's generation. A damaged index is dropped and made anew (I11).
func (s *source) follow(ctx context.Context, pin *store.Pin) (*served, error) {
	view, err := s.nextView(ctx, pin)
	if err != nil {
		return nil, err
	}
	err = s.followFromMark(ctx, pin)
	var damage *index.DamageError
	if errors.As(err, &damage) {
		s.deps.Log.Warn("index damaged; it is made anew", "source", string(s.name), "error", err)
		if err = s.index.Reset(); err == nil {
			err = s.index.Follow(ctx, nil, pin)
		}
	}
	if err != nil {
		return nil, err
	}
	hold, err := s.index.Hold(view)
	if err != nil {
		return nil, err
	}
	return &served{s: s, pin: pin, view: view, hold: hold, refs: 1}, nil
}

func (s *source) nextView(ctx context.Context, pin *store.Pin) (*index.View, error) {
	s.serving.Lock()
	newest := s.newest
	s.serving.Unlock()
	if newest == nil {
		return index.BuildView(ctx, pin)
	}
	return newest.view.Advance(ctx, pin)
}

// followFromMark starts from the generation that the index says it holds, where the store still has it.
func (s *source) followFromMark(ctx context.Context, to *store.Pin) error {
	mark, err := s.index.Mark()
	if err != nil {
		return err
	}
	if mark.Number == 0 {
		return s.index.Follow(ctx, nil, to)
	}
	from, err := s.deps.Store.Pin(ctx, s.name, mark.Number)
	if errors.Is(err, store.ErrNoGeneration) {
		return s.index.Follow(ctx, nil, to)
	}
	if err != nil {
		return err
	}
	defer from.Release()
	if from.Generation().Root != mark.Root {
		return s.index.Follow(ctx, nil, to) // a generation of that number, but not the one that was indexed
	}
	return s.index.Follow(ctx, from, to)
}

// generation is what is served now.
func (s *source) generation() (object.Generation, bool) {
	s.serving.Lock()
	defer s.serving.Unlock()
	if s.newest == nil {
		return object.Generation{}, false
	}
	return s.newest.pin.Generation(), true
}
