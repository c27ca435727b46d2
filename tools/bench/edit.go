package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/cleave-project/cleave/core/index"
	"github.com/cleave-project/cleave/core/object"
)

// edits are publications of one changed small file each.
type edits struct {
	Count     int       `json:"count"`
	Documents int       `json:"documents"`
	Ingest    quantiles `json:"ingest"` // walk, plan, split, publish
	Follow    quantiles `json:"follow"` // view and index, durable
	All       quantiles `json:"all"`
}

// quantiles of wall times, in milliseconds.
type quantiles struct {
	P50 float64 `json:"p50_ms"`
	P99 float64 `json:"p99_ms"`
	Max float64 `json:"max_ms"`
}

func quantilesOf(times []time.Duration) quantiles {
	slices.Sort(times)
	at := func(share float64) float64 { // nearest rank
		return times[int(math.Ceil(share*float64(len(times))))-1].Seconds() * 1000
	}
	return quantiles{P50: at(0.5), P99: at(0.99), Max: at(1)}
}

// edit changes a small file of a copy of the corpus again and again, and times the way to the next generation.
func (b *bench) edit(ctx context.Context) (_ *edits, err error) {
	root := filepath.Join(b.dir, "copy")
	if err := os.CopyFS(root, os.DirFS(b.o.corpus)); err != nil {
		return nil, err
	}
	s, err := openState(ctx, filepath.Join(b.dir, "edited"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	e := &editor{b: b, s: s, root: root}
	if err := e.round(ctx, 0); err != nil { // the cold scan
		return nil, err
	}
	e.ingest, e.follow = nil, nil
	for i := range b.o.edits {
		if err := e.round(ctx, i+1); err != nil {
			return nil, fmt.Errorf("edit %d: %w", i+1, err)
		}
	}
	out := &edits{Count: b.o.edits, Documents: e.view.Documents(), Ingest: quantilesOf(slices.Clone(e.ingest)),
		Follow: quantilesOf(slices.Clone(e.follow))}
	for i, d := range e.follow {
		e.ingest[i] += d
	}
	out.All = quantilesOf(e.ingest)
	return out, nil
}

// editor makes one generation after the other.
type editor struct {
	b              *bench
	s              *state
	root           string
	view           *index.View
	ingest, follow []time.Duration
}

func (e *editor) round(ctx context.Context, i int) error {
	note := fmt.Sprintf("# A note\n\nIt was changed %d times.\n", i)
	if err := os.WriteFile(filepath.Join(e.root, "cleave-bench-note.md"), []byte(note), 0o644); err != nil {
		return err
	}
	began := time.Now()
	if err := e.b.ingest(ctx, e.s, e.root); err != nil {
		return err
	}
	published := time.Now()
	if err := e.advance(ctx); err != nil {
		return err
	}
	e.ingest = append(e.ingest, published.Sub(began))
	e.follow = append(e.follow, time.Since(published))
	return nil
}

// advance does what the daemon does after a publication.
func (e *editor) advance(ctx context.Context) error {
	to, err := e.s.store.Pin(ctx, "bench", 0)
	if err != nil {
		return err
	}
	defer to.Release()
	if e.view == nil {
		if e.view, err = index.BuildView(ctx, to); err != nil {
			return err
		}
		return e.s.index.Follow(ctx, nil, to)
	}
	from, err := e.s.store.Pin(ctx, "bench", e.view.Generation().Number)
	if err != nil {
		return err
	}
	defer from.Release()
	if from.Generation() == (object.Generation{}) || from.Generation().Number == to.Generation().Number {
		return errors.New("nothing was published")
	}
	if e.view, err = e.view.Advance(ctx, to); err != nil {
		return err
	}
	if err := e.s.index.Follow(ctx, from, to); err != nil {
		return err
	}
	return e.s.index.Sweep(ctx, e.view)
}
