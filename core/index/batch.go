package index

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	api "github.com/blevesearch/bleve_index_api"
)

// batcher gathers rows and values into batches of bounded size and gives them to the engine one after the other. While
// the engine builds a segment of one batch the next is read and analysed, and at most two are on their way to the disk.
// Whoever made one calls finish, or abandon where it comes to nothing.
type batcher struct {
	x        *Index
	batch    *api.Batch
	bytes    int64
	sums     lengths               // of the rows that were put in
	seal     func(last *api.Batch) // puts values into the last batch once its rows are analysed; may be nil
	building sync.WaitGroup
	built    error      // of the batch that was built last; read after building
	written  chan error // one answer for each batch on its way to the disk
	pending  int
}

// maxPending is how many batches may be on their way to the disk.
const maxPending = 2

func (x *Index) newBatcher() *batcher {
	return &batcher{x: x, batch: api.NewBatch(), written: make(chan error, maxPending)}
}

// add puts a row in, and the batch into the engine where it is full.
func (b *batcher) add(ctx context.Context, r *row) error {
	b.batch.Update(r)
	b.bytes += r.size()
	return b.flushFull(ctx)
}

// remove takes a row out. A key counts as much as the overhead of a row.
func (b *batcher) remove(ctx context.Context, key string) error {
	b.batch.Delete(key)
	b.bytes += rowOverhead
	return b.flushFull(ctx)
}

func (b *batcher) flushFull(ctx context.Context) error {
	if b.bytes < b.x.options.BatchBytes {
		return nil
	}
	return b.flush(ctx, nil)
}

// finish hands over what is left and waits until all of it is durable.
func (b *batcher) finish(ctx context.Context) error {
	if err := b.flush(ctx, b.seal); err != nil {
		return err
	}
	if err := b.join(); err != nil {
		return err
	}
	for b.pending > 0 {
		if err := b.wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// abandon waits until the engine is not working for this batcher. After finish it does nothing.
func (b *batcher) abandon() { b.building.Wait() }

// join waits for the batch that is being built.
func (b *batcher) join() error {
	b.building.Wait()
	return b.built
}

func (b *batcher) flush(ctx context.Context, seal func(*api.Batch)) error {
	if len(b.batch.IndexOps) == 0 && seal == nil {
		return nil
	}
	b.analyze()
	if seal != nil {
		seal(b.batch)
	}
	if err := b.join(); err != nil {
		return err
	}
	for b.pending >= maxPending {
		if err := b.wait(ctx); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	batch, written := b.batch, b.written
	b.batch, b.bytes = api.NewBatch(), 0
	batch.SetPersistedCallback(func(err error) { written <- err }) // never blocks: room for maxPending
	b.pending++
	b.building.Go(func() { b.built = b.x.write(batch) })
	return nil
}

// write gives a batch to the engine and returns when it can be searched.
func (x *Index) write(batch *api.Batch) (err error) {
	defer recoverDamage(&err)
	if err := x.engine.Batch(batch); err != nil {
		return fmt.Errorf("write batch: %w", err)
	}
	return nil
}

// analyze analyses the rows of the batch on all workers. The engine would do it too, but the lengths of the fields have
// to be known before the batch is given to it.
func (b *batcher) analyze() {
	rows := make([]*row, 0, len(b.batch.IndexOps))
	for _, doc := range b.batch.IndexOps {
		if r, ok := doc.(*row); ok {
			rows = append(rows, r)
		}
	}
	workers := b.x.options.Workers
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			a := b.x.analyzers.Get().(*analyzer)
			defer b.x.analyzers.Put(a)
			for i := w; i < len(rows); i += workers {
				rows[i].analyze(a)
			}
		})
	}
	wg.Wait()
	for _, r := range rows {
		b.sums.add(r.lengths())
	}
}

// errStuck says that the engine's background work failed; it keeps trying, but nobody should wait for it.
var errStuck = errors.New("the engine cannot write")

// pollErrors is how often a wait looks whether the engine failed in the background, which it counts and does not report.
const pollErrors = time.Second

// wait waits until one batch is on disk.
func (b *batcher) wait(ctx context.Context) error {
	failures := b.x.failures()
	ticker := time.NewTicker(pollErrors)
	defer ticker.Stop()
	for {
		select {
		case err := <-b.written:
			b.pending--
			return err
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
			if b.x.failures() > failures {
				return fmt.Errorf("index %s: %w", b.x.dir, errStuck)
			}
		}
	}
}

// failures counts what went wrong in the engine since it was opened.
func (x *Index) failures() uint64 {
	n, _ := x.engine.StatsMap()["TotOnErrors"].(uint64)
	return n
}
