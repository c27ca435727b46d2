package main

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/cleave-project/cleave/core/index"
	"github.com/cleave-project/cleave/core/ingest"
	"github.com/cleave-project/cleave/core/store"
)

// scans are runs of the real pipeline, from a fresh state.
type scans struct {
	Cold   cost `json:"cold"`
	Ingest cost `json:"ingest"` // of Cold: up to the published generation
	Index  cost `json:"index"`  // of Cold: rows in, durable
	View   cost `json:"view"`   // of Cold
	// Store is what ingest takes beyond splitting alone: walk, plan, outline cache, objects, publication. It is a
	// difference of two runs, and CPU only.
	Store  float64 `json:"store_cpu_s"`
	Rescan cost    `json:"rescan"` // nothing changed
}

// divide says what of ingest is not splitting.
func (s *scans) divide(alone split) { s.Store = s.Ingest.cpu() - alone.All.cpu() }

// state is a fresh state directory, opened.
type state struct {
	dir   string
	store *store.Store
	index *index.Index
	roots *ingest.Roots
}

func openState(ctx context.Context, dir string) (*state, error) {
	s := &state{dir: dir}
	var err error
	if s.store, err = store.Open(ctx, filepath.Join(dir, "store"), store.Options{}); err != nil {
		return nil, err
	}
	if s.index, err = index.Open(filepath.Join(dir, "index"), index.Options{}); err != nil {
		return nil, errors.Join(err, s.store.Close())
	}
	if s.roots, err = ingest.OpenRoots(filepath.Join(dir, "roots")); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *state) close() error { return errors.Join(s.index.Close(), s.store.Close()) }

// disk is what the state takes, in blocks: Badger's files are mapped and look larger than they are.
func (s *state) disk() (bytes int64, err error) {
	err = filepath.WalkDir(s.dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // merged into another since
		}
		if err != nil {
			return err
		}
		bytes += info.Sys().(*syscall.Stat_t).Blocks * 512 // POSIX: st_blocks counts 512 bytes
		return nil
	})
	return bytes, err
}

// scan measures a cold scan and a rescan, and looks at what came out.
func (b *bench) scan(ctx context.Context, r *report) (err error) {
	s, err := openState(ctx, filepath.Join(b.dir, "state"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	var view *index.View
	if r.Memory, err = watched(ctx, func() (err error) { view, err = b.scanTwice(ctx, s, &r.Scan); return err }); err != nil {
		return err
	}
	r.Memory.Idle = idle()
	if r.Result, err = b.verify(ctx, s); err != nil {
		return err
	}
	r.Result.Rows = view.Rows() // and keeps the view in memory until here
	if r.Result.Disk, err = s.disk(); err != nil {
		return err
	}
	r.Result.DiskRatio = float64(r.Result.Disk) / float64(r.Corpus.Bytes)
	return nil
}

func (b *bench) scanTwice(ctx context.Context, s *state, to *scans) (view *index.View, err error) {
	to.Ingest, err = spent(func() error { return b.ingest(ctx, s, b.o.corpus) })
	if err != nil {
		return nil, err
	}
	pin, err := s.store.Pin(ctx, "bench", 0)
	if err != nil {
		return nil, err
	}
	defer pin.Release()
	if to.View, err = spent(func() (err error) { view, err = index.BuildView(ctx, pin); return err }); err != nil {
		return nil, err
	}
	if to.Index, err = spent(func() error { return s.index.Follow(ctx, nil, pin) }); err != nil {
		return nil, err
	}
	to.Cold = to.Ingest.plus(to.Index).plus(to.View)
	to.Rescan, err = spent(func() error { return b.ingest(ctx, s, b.o.corpus) })
	return view, err
}

func (b *bench) ingest(ctx context.Context, s *state, root string) error {
	_, err := ingest.Run(ctx, b.deps(s), b.source(root), ingest.Request{Reason: "scan"})
	return err
}
