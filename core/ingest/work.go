package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/cleave-project/cleave/core/dispatch"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/scan"
	"github.com/cleave-project/cleave/core/store"
	"github.com/cleave-project/cleave/sdk"
)

// worker reads and cuts files for one run. Its methods are called from several goroutines.
type worker struct {
	d      Deps
	src    Source
	root   *scan.Root
	stage  *store.Stage
	memory *memory
	now    time.Time
	bytes  *semaphore.Weighted
}

// work does the tasks of a plan, side by side, and returns what was decided about every path. An error ends the run:
// it is ours or the disk's, never a file's.
func work(ctx context.Context, d Deps, src Source, root *scan.Root, st *store.Stage, p *plan, m *memory, req Request) ([]outcome, error) {
	w := &worker{d: d, src: src, root: root, stage: st, memory: m, now: req.Now(), bytes: semaphore.NewWeighted(d.BytesInFlight)}
	results := make([]outcome, len(p.tasks))
	tick := counter(len(p.tasks), req.Progress)
	g, working := errgroup.WithContext(ctx)
	g.SetLimit(d.Workers)
	for _, i := range mixed(len(p.tasks)) {
		t := p.tasks[i]
		g.Go(func() error {
			o, err := w.do(working, t)
			results[i] = o
			tick()
			return err
		})
		if working.Err() != nil {
			break
		}
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return append(p.decided, results...), nil
}

// counter reports progress one call at a time.
func counter(total int, report func(Progress)) func() {
	if report == nil {
		return func() {}
	}
	var mu sync.Mutex
	done := 0
	report(Progress{Total: total})
	return func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		report(Progress{Done: done, Total: total})
	}
}

// do reads one file once and cuts the bytes it read. The error is ours or the disk's.
func (w *worker) do(ctx context.Context, t task) (outcome, error) {
	// A file larger than everything in flight may be goes alone.
	weight := min(max(t.file.Size, 1), w.d.BytesInFlight)
	if err := w.bytes.Acquire(ctx, weight); err != nil {
		return outcome{}, err
	}
	defer w.bytes.Release(weight)
	raw, file, err := w.root.Read(t.file.Path, w.src.MaxSize)
	if err != nil {
		return w.unread(t, err)
	}
	t.file = file
	return w.cut(ctx, t, raw)
}

// unread decides about a file that the walk saw and that could not be read.
func (w *worker) unread(t task, err error) (outcome, error) {
	path := object.Path(t.file.Path)
	old, had := w.memory.entries[path]
	var other *scan.LeftOutError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return outcome{path: path}, nil // gone since its directory was read: absent all the same
	case errors.As(err, &other):
		return leftOut(t.file, string(other.Reason)), nil
	case w.memory.lost(path):
		// Its last version cannot be carried, and what was not read deletes nothing (I2).
	case errors.Is(err, scan.ErrChanged) || errors.Is(err, fs.ErrPermission):
		// Not our bytes to judge: the last version stays until the file rests, or may be read again.
		if had {
			old.Access = accessOf(t.file) // I10: as the walk saw it
			return w.memory.stale(path, old, err.Error()), nil
		}
		o := leftOut(t.file, unreadable)
		o.carried = err.Error()
		return o, nil
	}
	return outcome{}, fmt.Errorf("read %q: %w", t.file.Path, err)
}

// cut turns bytes into an entry: a record that is known already, a fresh one, a quarantine record, or a reason to
// leave the file out.
func (w *worker) cut(ctx context.Context, t task, raw []byte) (outcome, error) {
	path, revision := object.Path(t.file.Path), object.Sum(raw)
	o := outcome{path: path, stat: w.stat(t, revision)}
	if known, ok := w.memory.made[recipe{o.stat.OutlineKey, t.contract}]; ok {
		entry := entryOf(t.file, known.Doc, known.Chunks)
		o.entry = &entry
		return o, nil
	}
	if f, ok := w.memory.failures[path]; ok && stillWaits(f, t, revision, w.now) {
		return w.fail(o, t, revision, nil), nil
	}
	tok, err := w.d.Tokenizers(t.policy.Tokenizer)
	if err != nil {
		return outcome{}, err
	}
	res, err := Cut(ctx, w.d.Splitters, tok, cache{w.d.Store, w.stage}, Input{Raw: raw, Revision: revision, Route: t.route, Policy: t.policy})
	if err != nil {
		blame, ok := blamesFile(err)
		switch {
		case errors.Is(err, dispatch.ErrDown):
			return w.putOff(o, t, revision, blame), nil
		case !ok:
			return outcome{}, fmt.Errorf("cut %q: %w", t.file.Path, err)
		case leavesOut(err):
			o.stat.LeftOut = string(blame.Code)
			return o, nil
		}
		return w.fail(o, t, revision, err), nil
	}
	id, err := w.stage.PutDocument(ctx, res.Doc, res.Text, res.Chunks, res.Segments)
	if err != nil {
		return outcome{}, fmt.Errorf("store %q: %w", t.file.Path, err)
	}
	if err := w.stage.PutChecksum(ctx, id, t.route.Plugin.SHA256); err != nil {
		return outcome{}, fmt.Errorf("store %q: %w", t.file.Path, err)
	}
	entry := entryOf(t.file, id, len(res.Chunks))
	o.entry = &entry
	return o, nil
}

// fail quarantines a file; without a cause it stays quarantined as it is.
func (w *worker) fail(o outcome, t task, revision object.ID, cause error) outcome {
	prev, had := w.memory.failures[o.path]
	next := prev
	if blame, ok := blamesFile(cause); ok {
		next = quarantined(prev, had, failureOf(t, revision, blame), w.now)
		o.quarantine = &Quarantine{Path: o.path, Failure: next}
		var fault *faultError
		if errors.As(cause, &fault) {
			o.quarantine.Stack = fault.stack
		}
	}
	return w.failed(o, t, next)
}

// putOff leaves a file whose plugin could not be asked to the next run.
func (w *worker) putOff(o outcome, t task, revision object.ID, cause *sdk.Error) outcome {
	prev, had := w.memory.failures[o.path]
	o.down = cause.Message
	return w.failed(o, t, waiting(prev, had, failureOf(t, revision, cause), w.now))
}

func (w *worker) failed(o outcome, t task, f store.Failure) outcome {
	old, had := w.memory.entries[o.path]
	entry := failedEntry(old, had, entryOf(t.file, object.ID{}, 0))
	o.entry, o.failure = &entry, &f
	return o
}

// failureOf is the record of a failure but for its tries and times.
func failureOf(t task, revision object.ID, cause *sdk.Error) store.Failure {
	return store.Failure{
		Code: string(cause.Code), Message: cause.Message, Plugin: t.route.Plugin.Name, PluginSHA: t.route.Plugin.SHA256,
		Revision: revision, Contract: t.contract,
	}
}

// stat is what the next run will compare with. It is of the descriptor the bytes came from.
func (w *worker) stat(t task, revision object.ID) *store.Stat {
	f := t.file
	return &store.Stat{
		Dev: f.Dev, Inode: f.Inode, Size: f.Size, Modified: f.ModTime, Changed: f.ChangeTime, Scanned: w.now.UnixNano(),
		Revision: revision, OutlineKey: outlineKey(revision, t.route), Contract: t.contract, Plugin: t.route.Plugin.Name,
	}
}

// cache joins the two halves of the outline cache.
type cache struct {
	store *store.Store
	stage *store.Stage
}

var _ Outlines = cache{}

func (c cache) Outline(ctx context.Context, key object.ID) ([]byte, bool, error) {
	return c.store.Outline(ctx, key)
}

func (c cache) PutOutline(ctx context.Context, key object.ID, data []byte) error {
	return c.stage.PutOutline(ctx, key, data)
}
