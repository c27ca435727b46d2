package daemon

import (
	"context"
	"errors"
	"strings"

	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// List gives a generation's documents in path order, then what the last scan left out.
func (d *daemon) List(ctx context.Context, _ control.Caller, r control.ListRequest, emit func(control.ListItem) error) (control.ListAnswer, error) {
	s, err := d.named(r.Source)
	if err != nil {
		return control.ListAnswer{}, err
	}
	pin, err := s.pin(ctx, r.Generation)
	if err != nil {
		return control.ListAnswer{}, err
	}
	defer pin.Release()
	found := false
	for item, err := range pin.All(ctx) {
		if err != nil {
			return control.ListAnswer{}, err
		}
		if !beneath(item.Path, r.Path) {
			continue
		}
		found = true
		if err := s.list(ctx, pin, item, r, emit); err != nil {
			return control.ListAnswer{}, err
		}
	}
	if r.All {
		any, err := s.listLeftOut(ctx, r.Path, emit)
		if err != nil {
			return control.ListAnswer{}, err
		}
		found = found || any
	}
	if !found && r.Path != "" {
		return control.ListAnswer{}, control.NotFound("no such document in generation %d (cleave ls %s)", pin.Generation().Number, s.name)
	}
	return control.ListAnswer{Source: string(s.name), Generation: pin.Generation().Number}, nil
}

// beneath tells whether path is the document or lies in the folder that prefix names.
func beneath(path object.Path, prefix string) bool {
	prefix = strings.TrimSuffix(prefix, "/")
	rest, ok := strings.CutPrefix(string(path), prefix)
	return ok && (prefix == "" || rest == "" || rest[0] == '/')
}

func (s *source) list(ctx context.Context, pin *store.Pin, item object.Item, r control.ListRequest, emit func(control.ListItem) error) error {
	doc, err := s.document(ctx, pin, item)
	if err != nil {
		return err
	}
	listed := doc.Listed()
	if err := emit(control.ListItem{Document: &listed}); err != nil || !r.Chunks || item.Entry.Doc.IsZero() {
		return err
	}
	chunks, err := s.wire(ctx, pin, doc, r.EmbedText)
	if err != nil {
		return err
	}
	for i := range chunks {
		if err := emit(control.ListItem{Chunk: &chunks[i]}); err != nil {
			return err
		}
	}
	return nil
}

func (s *source) listLeftOut(ctx context.Context, prefix string, emit func(control.ListItem) error) (found bool, err error) {
	for it, err := range s.deps.Store.Stats(ctx, s.name) {
		if err != nil {
			return found, err
		}
		if it.Stat.LeftOut == "" || !beneath(it.Path, prefix) {
			continue
		}
		found = true
		path, raw := control.Readable(string(it.Path))
		if err := emit(control.ListItem{LeftOut: &control.LeftOut{Path: path, PathB64: raw, Reason: it.Stat.LeftOut}}); err != nil {
			return found, err
		}
	}
	return found, nil
}

// named finds a source by name; without a name the only one is meant.
func (d *daemon) named(name string) (*source, error) {
	if name != "" {
		return d.source(name)
	}
	if len(d.sources) == 1 {
		return d.sources[0], nil
	}
	if len(d.sources) == 0 {
		_, err := d.choose(nil)
		return nil, err
	}
	return nil, control.Usage("%d sources are configured: name one (cleave status lists them)", len(d.sources))
}

// pin leases a generation of the store; 0 is the one that is served, so that ls, show and query speak of the same.
func (s *source) pin(ctx context.Context, number uint64) (*store.Pin, error) {
	if number == 0 {
		g, ok := s.generation()
		if !ok {
			return nil, control.NotFound("source %s: %v (cleave scan --wait %s)", s.name, errNothingServed, s.name)
		}
		number = g.Number
	}
	pin, err := s.deps.Store.Pin(ctx, s.name, number)
	if errors.Is(err, store.ErrNoGeneration) {
		return nil, control.NotFound("source %s has no generation %d (cleave generations %s)", s.name, number, s.name)
	}
	return pin, err
}
