package daemon

import (
	"context"
	"errors"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/cleave-project/cleave/core/object"
)

// fruits are words of which each generation has one of its own.
var fruits = []string{"apple", "banana", "cherry", "damson", "elderberry", "fig", "grape", "huckleberry"}

// generations publishes n generations, each with a word of its own, and serves the last.
func (l *lab) generations(n int) *source {
	l.t.Helper()
	for i := range n {
		l.publish("docs", map[object.Path]string{"same.md": "the same text\n", "fruit.md": fruits[i] + "\n"})
		if i == 0 {
			l.start("docs")
			continue
		}
		l.advance(l.sources[0])
	}
	return l.sources[0]
}

// Older generations answer with what they hold, however many callers ask and for whatever, beside a head that moves.
func TestOlderGenerationsQueriedConcurrently(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	l := newLab(t, t.TempDir())
	defer l.stop()
	last := len(fruits)
	s := l.generations(last)
	var all sync.WaitGroup
	for i := range 32 {
		all.Go(func() {
			number := uint64(i%last + 1)
			for of, word := range fruits {
				a, err := l.query(word, number)
				if err != nil || len(a.Hits) > 0 != (number == uint64(of+1)) {
					t.Errorf("%s in generation %d: %d hits, %v", word, number, len(a.Hits), err)
				}
			}
		})
	}
	l.publish("docs", map[object.Path]string{"fruit.md": "moved on\n"})
	l.advance(s)
	all.Wait()
	if n := len(s.older.slots); n > maxOlder {
		t.Errorf("%d older generations are kept, want %d at most", n, maxOlder)
	}
	for _, o := range s.older.slots {
		if o.served == nil || o.served.refs != 1 {
			t.Errorf("generation %d: leases are out", o.number)
		}
	}
}

// A generation is made once for all who ask for it together, and kept for those who ask next.
func TestOlderIsMadeOnce(t *testing.T) {
	l := newLab(t, t.TempDir())
	s := l.generations(2)
	leases := make([]*served, 16)
	var all sync.WaitGroup
	for i := range leases {
		all.Go(func() {
			var err error
			if leases[i], err = s.acquire(t.Context(), 1); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, v := range leases {
		if v != leases[0] {
			t.Error("two were made")
		}
		v.release()
	}
	again, err := s.acquire(t.Context(), 1)
	if err != nil || again != leases[0] {
		t.Errorf("made again: %v", err)
	}
	again.release()
}

// Where all slots are leased, who asks for another generation waits: as long as its context lasts, or until one is free.
func TestOlderWaitsForASlot(t *testing.T) {
	l := newLab(t, t.TempDir())
	s := l.generations(maxOlder + 2)
	var leases []*served
	for number := range uint64(maxOlder) {
		v, err := s.acquire(t.Context(), number+1)
		if err != nil {
			t.Fatal(err)
		}
		leases = append(leases, v)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.acquire(ctx, maxOlder+1); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want %v", err, context.Canceled)
	}
	if _, err := s.acquire(t.Context(), 99); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("a generation that is not there: %v", err)
	}
	got := make(chan error)
	go func() {
		v, err := s.acquire(t.Context(), maxOlder+1)
		if err == nil {
			v.release()
		}
		got <- err
	}()
	leases[0].release()
	if err := <-got; err != nil {
		t.Error(err)
	}
	for _, v := range leases[1:] {
		v.release()
	}
}
