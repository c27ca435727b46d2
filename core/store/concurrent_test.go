package store_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// Readers during publication see whole generations, each one and none older than the last they saw (I9).
func TestReadersDuringPublication(t *testing.T) {
	const generations, readers = 15, 3
	ctx, s := context.Background(), open(t, t.TempDir())
	group, ctx := errgroup.WithContext(ctx)
	done := make(chan struct{})
	group.Go(func() error {
		defer close(done)
		for n := range generations {
			if err := publishNumbered(ctx, s, n+1); err != nil {
				return err
			}
		}
		return nil
	})
	for range readers {
		group.Go(func() error {
			last := uint64(0)
			for {
				select {
				case <-done:
					return nil
				default:
				}
				n, err := readNumbered(ctx, s)
				if err != nil || n < last {
					return fmt.Errorf("generation %d after %d: %w", n, last, err)
				}
				last = n
			}
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	check(t, s)
}

// publishNumbered puts generation n from several goroutines.
func publishNumbered(ctx context.Context, s *store.Store, n int) error {
	return s.Stage(ctx, docs, func(st *store.Stage) error {
		var mu sync.Mutex
		var edits []store.Edit
		workers, wctx := errgroup.WithContext(ctx)
		for i := range 8 {
			workers.Go(func() error {
				text := append(fmt.Appendf(nil, "generation %d\n", n), prose(i, 2000)...)
				doc, chunks := document(text)
				id, err := st.PutDocument(wctx, doc, text, chunks, nil)
				mu.Lock()
				defer mu.Unlock()
				edits = append(edits, store.Edit{Path: object.Path(fmt.Sprint(i)), Entry: &object.Entry{Doc: id}})
				return err
			})
		}
		if err := workers.Wait(); err != nil {
			return err
		}
		_, _, err := st.Publish(ctx, store.Update{Edits: edits})
		return err
	})
}

// readNumbered reads the head and says which generation it is, 0 for none.
func readNumbered(ctx context.Context, s *store.Store) (uint64, error) {
	p, err := s.Pin(ctx, docs, 0)
	if err != nil {
		return 0, nil // none yet; the check at the end finds anything worse
	}
	defer p.Release()
	want := fmt.Sprintf("generation %d\n", p.Generation().Number)
	for it, err := range p.All(ctx) {
		if err != nil {
			return 0, err
		}
		doc, err := p.Document(ctx, it.Entry.Doc)
		if err != nil {
			return 0, err
		}
		text, err := p.Text(ctx, doc, 0, doc.TextLen)
		if err != nil {
			return 0, err
		}
		if !strings.HasPrefix(string(text), want) {
			return 0, fmt.Errorf("%s of generation %d reads %.20q", it.Path, p.Generation().Number, text)
		}
	}
	return p.Generation().Number, nil
}
