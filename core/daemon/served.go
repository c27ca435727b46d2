package daemon

import (
	"context"
	"errors"
	"fmt"

	"github.com/cleave-project/cleave/core/index"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/query"
	"github.com/cleave-project/cleave/core/store"
)

// served is one generation that can be asked: its pin, its view, and the index's promise that the view's rows stay.
// Whoever uses one has acquired it and releases it; the source itself holds the newest.
type served struct {
	s      *source
	pin    *store.Pin
	view   *index.View
	volume *volume
	hold   *index.Hold
	refs   int // guarded by s.serving
}

var _ query.Index = (*served)(nil)

// errNothingServed: the source has no generation yet.
var errNothingServed = errors.New("nothing was published yet")

// acquire takes a lease on generation number, 0 for the newest (I9). An older one is made ready on demand.
func (s *source) acquire(ctx context.Context, number uint64) (*served, error) {
	s.serving.Lock()
	v := s.newest
	if v != nil && (number == 0 || number == v.pin.Generation().Number) {
		v.refs++
		s.serving.Unlock()
		return v, nil
	}
	s.serving.Unlock()
	if number == 0 {
		return nil, errNothingServed
	}
	return s.acquireOlder(ctx, number)
}

// release ends a lease, and what nobody has a lease on after it.
func (v *served) release() {
	v.s.serving.Lock()
	ended := v.releaseLocked()
	v.s.older.changedLocked()
	v.s.serving.Unlock()
	v.s.logEnd(ended)
}

// releaseLocked returns the volume that has to be ended, if any, when the lock is given back.
func (v *served) releaseLocked() *volume {
	if v.refs--; v.refs > 0 {
		return nil
	}
	v.hold.Release()
	v.pin.Release()
	if v.volume.unrefLocked() {
		return v.volume
	}
	return nil
}

// logEnd ends a volume that nobody uses any more; nil is none.
func (s *source) logEnd(v *volume) {
	if v == nil {
		return
	}
	if err := v.end(); err != nil {
		s.journal.Error("close index", "source", string(s.name), "error", err)
	}
}

// View is the part of query.Index that cannot fail.
func (v *served) View() *index.View { return v.view }

// Search is the hold's; damage that it meets is noted.
func (v *served) Search(ctx context.Context, q index.Query) ([]index.Match, error) {
	matches, err := v.hold.Search(ctx, q)
	v.note(err)
	return matches, err
}

// Statistics is the hold's; damage that it meets is noted.
func (v *served) Statistics(ctx context.Context, text string) (*index.Statistics, error) {
	s, err := v.hold.Statistics(ctx, text)
	v.note(err)
	return s, err
}

// note has a new volume made where err is damage.
func (v *served) note(err error) {
	var damage *index.DamageError
	if errors.As(err, &damage) && v.s.spoil(v.volume, damage) {
		v.s.enqueue(false) // a full queue: a scan is coming anyway, and mends it as well
	}
}

// advance is hop 11: the index follows the head, the view is made, and only then the head is served. Where the head is
// served already from an index that is sound, only what is owed is done.
func (s *source) advance(ctx context.Context) error {
	pin, err := s.deps.Store.Pin(ctx, s.name, 0)
	if errors.Is(err, store.ErrNoGeneration) {
		return nil
	}
	if err != nil {
		return err
	}
	if s.isServed(pin.Generation()) {
		pin.Release()
		s.sweep(ctx)
		return nil
	}
	next, err := s.follow(ctx, pin)
	if err != nil {
		pin.Release()
		return fmt.Errorf("index generation %d: %w", pin.Generation().Number, err)
	}
	s.serve(next)
	s.sweepOwed = true
	s.sweep(ctx)
	return nil
}

func (s *source) isServed(g object.Generation) bool {
	s.serving.Lock()
	defer s.serving.Unlock()
	v := s.newest
	return v != nil && v.view.Generation().Number == g.Number && v.view.Generation().Root == g.Root && v.volume.spoiled == nil
}

// follow makes what is served of pin's generation. It takes pin over where it succeeds.
func (s *source) follow(ctx context.Context, pin *store.Pin) (*served, error) {
	view, err := s.viewOf(ctx, pin)
	if err != nil {
		return nil, err
	}
	v, err := s.volumeAt(ctx, pin)
	if err != nil {
		return nil, err
	}
	hold, err := v.index.Hold(view)
	s.serving.Lock()
	isNew := v != s.volume
	if err == nil {
		v.refs++
	}
	s.serving.Unlock()
	if err != nil && isNew {
		err = errors.Join(err, v.end())
	}
	if err != nil {
		return nil, err
	}
	return &served{s: s, pin: pin, view: view, volume: v, hold: hold, refs: 1}, nil
}

// viewOf makes a generation's view from the newest one's, which costs what they differ in.
func (s *source) viewOf(ctx context.Context, pin *store.Pin) (*index.View, error) {
	s.serving.Lock()
	newest := s.newest
	s.serving.Unlock()
	if newest == nil {
		return index.BuildView(ctx, pin)
	}
	return newest.view.Advance(ctx, pin)
}

// serve lets queries see next, and its volume where that is another.
func (s *source) serve(next *served) {
	s.serving.Lock()
	var ended []*volume
	if s.newest != nil {
		ended = append(ended, s.newest.releaseLocked())
	}
	s.newest = next
	if old := s.volume; old != next.volume {
		ended = append(ended, s.older.dropLocked()...)
		s.volume, old.retired = next.volume, true
		if old.unrefLocked() {
			ended = append(ended, old)
		}
	}
	s.serving.Unlock()
	for _, v := range ended {
		s.logEnd(v)
	}
}

// sweep removes the rows that nothing needs any more. It changes no answer, so what goes wrong is logged and tried again
// after the next scan.
func (s *source) sweep(ctx context.Context) {
	if !s.sweepOwed {
		return
	}
	s.serving.Lock()
	v := s.newest
	s.serving.Unlock()
	err := v.volume.index.Sweep(ctx, v.view)
	if err == nil {
		s.sweepOwed = false
		return
	}
	v.note(err)
	if ctx.Err() == nil {
		s.journal.Warn("rows that nothing needs stay in the index; the next scan tries again", "source", string(s.name), "error", err)
	}
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
