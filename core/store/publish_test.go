package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// One changed document of 20 KB among 100,000 writes at most 64 KiB of pages, record, stats and head beside its text.
func TestPublishOneOfManyWritesLittle(t *testing.T) {
	const most, textSize = 64 << 10, 20_000
	ctx, s := context.Background(), open(t, t.TempDir())
	path := func(n int) object.Path {
		return object.Path(fmt.Sprintf("handbook/area-%03d/topic %02d/how-to-write-page-%05d.en.md", n%211, n%17, n))
	}
	err := s.Stage(ctx, docs, func(st *store.Stage) error {
		small := put(t, st, "x", prose(0, 100))
		var edits []store.Edit
		for n := range 100_000 {
			e := *small.Entry
			e.Modified = 1_700_000_000_000_000_000 + int64(n)*1_234_567
			edits = append(edits, store.Edit{Path: path(n), Entry: &e})
		}
		_, _, err := st.Publish(ctx, store.Update{Edits: edits})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	worst := int64(0)
	for _, n := range []int{0, 777, 31_415, 65_537, 99_999} {
		text := prose(n, textSize)
		err := s.Stage(ctx, docs, func(st *store.Stage) error {
			_, published, err := st.Publish(ctx, store.Update{Edits: []store.Edit{put(t, st, path(n), text)}, Reason: "watch"})
			if err == nil && !published {
				err = errors.New("not published")
			}
			worst = max(worst, st.Written()-textSize)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("beside its text, one document of %d bytes among 100,000 writes at most %d bytes", textSize, worst)
	if worst > most {
		t.Errorf("%d bytes written, at most %d allowed", worst, most)
	}
}

func TestStageIsAloneInItsSource(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	err := s.Stage(ctx, docs, func(*store.Stage) error {
		nested := func(*store.Stage) error { return nil }
		if err := s.Stage(ctx, docs, nested); !errors.Is(err, store.ErrBusy) {
			t.Errorf("second stage of a source: %v", err)
		}
		return s.Stage(ctx, "other", nested)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Stage(ctx, docs, func(*store.Stage) error { return nil }); err != nil {
		t.Errorf("stage after the first has ended: %v", err)
	}
}

// What a stage has written without publishing shows nowhere, and a stage that has ended takes nothing more.
func TestStageThatFailsPublishesNothing(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	g, _ := publish(t, s, docs, map[object.Path][]byte{"a": prose(1, 100)})
	var ended *store.Stage
	mine := errors.New("mine")
	err := s.Stage(ctx, docs, func(st *store.Stage) error {
		ended = st
		put(t, st, "b", prose(2, 100))
		if err := st.PutOutline(ctx, object.Sum([]byte("k")), []byte("outline")); err != nil {
			t.Fatal(err)
		}
		return mine
	})
	if !errors.Is(err, mine) {
		t.Fatalf("stage: %v", err)
	}
	if h, err := s.Head(ctx, docs); err != nil || h != g {
		t.Errorf("head: %+v %v", h, err)
	}
	if err := ended.PutOutline(ctx, object.ID{1}, nil); err == nil {
		t.Error("an ended stage takes outlines")
	}
	check(t, s)
}

// An edit that names a document nobody put is refused (I1).
func TestPublishRefusesMissingDocument(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	err := s.Stage(ctx, docs, func(st *store.Stage) error {
		e := object.Entry{Doc: object.Sum([]byte("nobody's")), Bytes: 1}
		_, _, err := st.Publish(ctx, store.Update{Edits: []store.Edit{{Path: "a", Entry: &e}}})
		return err
	})
	var damage *store.DamageError
	if !errors.As(err, &damage) {
		t.Fatalf("publish: %v", err)
	}
	if _, err := s.Head(ctx, docs); !errors.Is(err, store.ErrNoGeneration) {
		t.Errorf("head: %v", err)
	}
}

// An empty tree is a generation too, and emptying a tree is a change.
func TestPublishEmptyTree(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	s := open(t, dir)
	g, published := publish(t, s, docs, nil)
	if !published || g.Number != 1 || !g.Root.IsZero() {
		t.Fatalf("empty tree: %+v %v", g, published)
	}
	publish(t, s, docs, map[object.Path][]byte{"a": prose(1, 10)})
	if g, published = publish(t, s, docs, map[object.Path][]byte{"a": nil}); !published || g.Number != 3 || !g.Root.IsZero() {
		t.Errorf("emptied tree: %+v %v", g, published)
	}
	s = reopen(t, s, dir)
	if h, err := s.Head(ctx, docs); err != nil || h != g {
		t.Errorf("head after reopening: %+v %v", h, err)
	}
	check(t, s)
}

func TestPins(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	publish(t, s, docs, map[object.Path][]byte{"a": prose(1, 10)})
	a, err := s.Pin(ctx, docs, 0)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Pin(ctx, docs, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Pinned(); len(got) != 1 || got[0] != (store.Lease{Source: docs, Number: 1, Pins: 2}) {
		t.Errorf("pinned: %+v", got)
	}
	publish(t, s, docs, map[object.Path][]byte{"b": prose(2, 10)})
	if got := len(texts(t, a)); got != 1 { // I9
		t.Errorf("the pinned generation has %d documents now", got)
	}
	a.Release()
	a.Release()
	if got := s.Pinned(); len(got) != 1 || got[0].Pins != 1 {
		t.Errorf("pinned after releasing one twice: %+v", got)
	}
	b.Release()
	if got := s.Pinned(); len(got) != 0 {
		t.Errorf("pinned at the end: %+v", got)
	}
}
