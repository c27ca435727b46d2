package ingest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/scan"
	"github.com/cleave-project/cleave/core/store"
	"github.com/cleave-project/cleave/core/token"
)

// Deps is what a run needs beside its source.
type Deps struct {
	Store      *store.Store
	Records    Records // nil: Store
	Splitters  Splitters
	Tokenizers func(name string) (token.Tokenizer, error)
	Roots      *Roots
	Workers    int
	// BytesInFlight bounds the raw bytes that workers hold at once (I13). A file larger than that goes alone.
	BytesInFlight int64
}

// Records is where a run writes, once the head has moved, what serves the next one. *store.Store is one; a test puts one
// in its place in which the process ends.
type Records interface {
	SetFailures(ctx context.Context, source object.Source, puts []store.FailureItem, removes []object.Path) error
	SetStats(ctx context.Context, source object.Source, puts []store.StatItem, removes []object.Path) error
}

var _ Records = (*store.Store)(nil)

// Source is what a run must know of a source.
type Source struct {
	Name             object.Source
	Root             string
	Include, Exclude []string
	Hidden           bool
	MaxSize          int64                           // bytes; larger files are left out
	Policy           func(object.Path) object.Policy // the rules' answer for a path
}

// Request says why a run happens and how.
type Request struct {
	Reason     string           // "start", "timer", "scan": kept in the generation record
	AcceptRoot bool             // take a root that was replaced on purpose
	Progress   func(Progress)   // called from the run's goroutine and its workers, one at a time; nil: nobody asks
	Now        func() time.Time // nil: time.Now
}

// Progress counts the files of a run that are to be read.
type Progress struct{ Done, Total int }

// Run is hops 4-10: a listing, a plan, the work, one publication. It publishes the whole source or nothing.
// The error is a *scan.RootError where the root is gone, replaced or unreadable; then nothing has changed.
func Run(ctx context.Context, d Deps, src Source, req Request) (Report, error) {
	if req.Now == nil {
		req.Now = time.Now
	}
	if d.Records == nil {
		d.Records = d.Store
	}
	began := req.Now()
	root, listing, err := scanRoot(ctx, d, src, req)
	if err != nil {
		return Report{}, err
	}
	defer root.Close()
	var report Report
	err = d.Store.Stage(ctx, src.Name, func(st *store.Stage) error {
		before, err := recall(ctx, d.Store, st, src.Name, listing)
		if err != nil {
			return fmt.Errorf("read the head: %w", err)
		}
		p, err := makePlan(d, src, before, listing, began)
		if err != nil {
			return err
		}
		out, err := work(ctx, d, src, root, st, p, before, req)
		if err != nil {
			return err
		}
		report, err = publish(ctx, d, src, st, before, out, req)
		return err
	})
	if err != nil {
		return Report{}, fmt.Errorf("ingest %s: %w", src.Name, err)
	}
	report.Took = req.Now().Sub(began)
	return report, nil
}

// scanRoot is hop 4: it walks the source, and remembers its root once the walk has ended well. The caller closes the
// root.
func scanRoot(ctx context.Context, d Deps, src Source, req Request) (*scan.Root, *scan.Listing, error) {
	known, err := d.Roots.Known(src.Name)
	if err != nil {
		return nil, nil, err
	}
	options := scan.Options{
		Root: src.Root, Include: src.Include, Exclude: src.Exclude, Hidden: src.Hidden, MaxSize: src.MaxSize,
		RootID: known, AcceptRoot: req.AcceptRoot,
	}
	root, err := scan.OpenRoot(options)
	if err != nil {
		return nil, nil, fmt.Errorf("scan %s: %w", src.Name, err)
	}
	listing, err := root.Walk(ctx, options)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("scan %s: %w", src.Name, err), root.Close())
	}
	if err := d.Roots.Remember(src.Name, listing.Root); err != nil {
		return nil, nil, errors.Join(err, root.Close())
	}
	return root, listing, nil
}

// IsUnavailable tells whether a run failed because the source's root is not what it was or cannot be read: the source
// stays as it is, and is `unavailable`.
func IsUnavailable(err error) bool {
	var root *scan.RootError
	return errors.As(err, &root)
}
