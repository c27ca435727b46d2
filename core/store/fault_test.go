package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// A failed sync fences the store; the head that readers see does not move, and reopening serves a complete generation.
func TestFailedSyncFences(t *testing.T) {
	for name, nth := range map[string]int{"of the objects": 1, "of the head": 2} {
		t.Run(name, func(t *testing.T) {
			ctx, dir := context.Background(), t.TempDir()
			s := open(t, dir)
			g1, _ := publish(t, s, docs, map[object.Path][]byte{"a": prose(1, 5000)})
			s.FailSync(nth, syscall.EIO)
			err := s.Stage(ctx, docs, func(st *store.Stage) error {
				_, _, err := st.Publish(ctx, store.Update{Edits: []store.Edit{put(t, st, "b", prose(2, 5000))}})
				return err
			})
			var fenced *store.FencedError
			if !errors.As(err, &fenced) || !errors.Is(err, syscall.EIO) {
				t.Fatalf("publish: %v", err)
			}
			if h, err := s.Head(ctx, docs); err != nil || h != g1 {
				t.Errorf("head after the failure: %+v %v", h, err)
			}
			if err := s.Stage(ctx, docs, func(*store.Stage) error { return nil }); !errors.As(err, &fenced) {
				t.Errorf("stage after the failure: %v", err)
			}
			if err := s.SetStats(ctx, docs, nil, nil); !errors.As(err, &fenced) {
				t.Errorf("stats after the failure: %v", err)
			}
			if len(texts(t, pin(t, s, docs, 0))) != 1 {
				t.Error("a fenced store does not read")
			}
			s = reopen(t, s, dir)
			check(t, s)
			h, err := s.Head(ctx, docs)
			if want := uint64(nth); err != nil || h.Number != want { // a head on disk is complete (I1), so it is served
				t.Errorf("head after reopening: %+v %v, want generation %d", h, err, want)
			}
			publish(t, s, docs, map[object.Path][]byte{"c": prose(3, 100)})
		})
	}
}

func TestHeadMovedIsNoFence(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	publish(t, s, docs, map[object.Path][]byte{"a": prose(1, 100)})
	err := s.Stage(ctx, docs, func(st *store.Stage) error {
		if err := s.MoveHead(docs); err != nil {
			t.Fatal(err)
		}
		_, _, err := st.Publish(ctx, store.Update{Edits: []store.Edit{put(t, st, "b", prose(2, 100))}})
		return err
	})
	if !errors.Is(err, store.ErrHeadMoved) {
		t.Fatalf("publish: %v", err)
	}
	publish(t, s, "other", map[object.Path][]byte{"a": prose(1, 100)})
}

// Every read is verified: missing, empty, wrong and cut objects are damage, Check names them, and a put mends them (I3).
func TestDamagedObjects(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	text := prose(1, 100_000)
	publish(t, s, docs, map[object.Path][]byte{"a": text})
	p := pin(t, s, docs, 0)
	e, _, err := p.Lookup(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := p.Document(ctx, e.Doc)
	if err != nil {
		t.Fatal(err)
	}
	reads := map[object.ID]func() error{
		e.Doc:               func() error { _, err := p.Document(ctx, e.Doc); return err },
		doc.Text[1]:         func() error { _, err := p.Text(ctx, doc, 0, doc.TextLen); return err },
		doc.Chunks[1]:       func() error { _, err := p.Chunks(ctx, doc); return err },
		p.Generation().Root: func() error { _, _, err := p.Lookup(ctx, "a"); return err },
	}
	for id, read := range reads {
		for _, data := range [][]byte{nil, {}, []byte("something else"), []byte("P")} {
			if err := s.Overwrite(id, data); err != nil {
				t.Fatal(err)
			}
			var damage *store.DamageError
			if err := read(); !errors.As(err, &damage) || damage.ID != id {
				t.Errorf("read of %s as %q: %v", id, data, err)
			}
			found := 0
			if err := s.Check(ctx, func(store.Problem) { found++ }); err != nil || found == 0 {
				t.Errorf("check with %s as %q: %d problems, %v", id, data, found, err)
			}
		}
		err := s.Stage(ctx, docs, func(st *store.Stage) error {
			_, published, err := st.Publish(ctx, store.Update{Edits: []store.Edit{put(t, st, "a", text)}, Whole: true})
			if published {
				t.Error("the same tree is published again")
			}
			return err
		})
		if err != nil || read() != nil {
			t.Errorf("put does not mend %s: %v", id, err)
		}
	}
	check(t, s)
}

// A source whose root page is damaged is refused when the store is opened, and served again once a stage has published
// the whole: the same tree under the same number, another one under the next.
func TestDamagedRootIsMended(t *testing.T) {
	for name, text := range map[string][]byte{"the same": prose(1, 100), "another": prose(2, 100)} {
		t.Run(name, func(t *testing.T) {
			ctx, dir := context.Background(), t.TempDir()
			s := open(t, dir)
			g, _ := publish(t, s, docs, map[object.Path][]byte{"a": prose(1, 100)})
			if err := s.Overwrite(g.Root, nil); err != nil {
				t.Fatal(err)
			}
			s = reopen(t, s, dir)
			var damage *store.DamageError
			if _, err := s.Head(ctx, docs); !errors.As(err, &damage) || damage.ID != g.Root {
				t.Fatalf("head: %v", err)
			}
			whole := func(whole bool) (next object.Generation, err error) {
				err = s.Stage(ctx, docs, func(st *store.Stage) error {
					next, _, err = st.Publish(ctx, store.Update{Edits: []store.Edit{put(t, st, "a", text)}, Whole: whole})
					return err
				})
				return next, err
			}
			if _, err := whole(false); !errors.As(err, &damage) {
				t.Fatalf("an edit of what cannot be read: %v", err)
			}
			next, err := whole(true)
			if err != nil || (next.Root == g.Root) != (next.Number == 1) {
				t.Fatalf("publish: %+v %v", next, err)
			}
			for range 2 {
				if h, err := s.Head(ctx, docs); err != nil || h != next {
					t.Errorf("head: %+v %v, want %+v", h, err, next)
				}
				if got := texts(t, pin(t, s, docs, 0))["a"]; string(got) != string(text) {
					t.Errorf("%d bytes of text", len(got))
				}
				s = reopen(t, s, dir)
			}
		})
	}
}

func TestOccupied(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	_, err := store.Open(context.Background(), dir, store.Options{})
	var occupied *store.OccupiedError
	if !errors.As(err, &occupied) || occupied.Dir != dir || occupied.PID != os.Getpid() {
		t.Errorf("second open: %v", err)
	}
}

// What a store says of itself is held against the file beside it.
func TestReplacedStore(t *testing.T) {
	remove := func(names ...string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			for _, n := range names {
				if err := os.RemoveAll(filepath.Join(dir, n)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	foreign := func(t *testing.T, dir string) {
		other := t.TempDir()
		s := open(t, other)
		publish(t, s, docs, map[object.Path][]byte{"a": prose(9, 10)})
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		remove("badger")(t, dir)
		if err := os.Rename(filepath.Join(other, "badger"), filepath.Join(dir, "badger")); err != nil {
			t.Fatal(err)
		}
	}
	cut := func(t *testing.T, dir string) {
		if err := os.Truncate(filepath.Join(dir, "badger", "MANIFEST"), 10); err != nil {
			t.Fatal(err)
		}
	}
	for name, damage := range map[string]func(*testing.T, string){
		"badger gone": remove("badger"), "identity gone": remove("identity.json"), "manifest gone": remove("badger/MANIFEST"),
		"another store": foreign, "manifest cut": cut,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir)
			publish(t, s, docs, map[object.Path][]byte{"a": prose(1, 10)})
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			before, _ := filepath.Glob(filepath.Join(dir, "badger", "*.sst"))
			damage(t, dir)
			for range 2 { // the second start is no better than the first
				s, err := store.Open(context.Background(), dir, store.Options{})
				var replaced *store.ReplacedError
				if !errors.As(err, &replaced) {
					t.Fatalf("open: %v %v", s, err)
				}
			}
			if name == "manifest cut" || name == "manifest gone" {
				after, _ := filepath.Glob(filepath.Join(dir, "*", "*.sst"))
				if len(before) == 0 || len(after) < len(before) {
					t.Errorf("tables before: %v, after: %v", before, after)
				}
			}
		})
	}
}

// An old copy of the store is refused for the source that is behind, and serves the other.
func TestOldStore(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	s := open(t, dir)
	publish(t, s, docs, map[object.Path][]byte{"a": prose(1, 10)})
	publish(t, s, "other", map[object.Path][]byte{"a": prose(1, 10)})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(t.TempDir(), "badger")
	if err := os.CopyFS(old, os.DirFS(filepath.Join(dir, "badger"))); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir)
	publish(t, s, docs, map[object.Path][]byte{"a": prose(2, 100)})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "badger")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(old, filepath.Join(dir, "badger")); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir)
	var behind *store.OldError
	if _, err := s.Head(ctx, docs); !errors.As(err, &behind) || behind.Head != 1 || behind.Acknowledged != 2 {
		t.Errorf("head: %v", err)
	}
	if _, err := s.Pin(ctx, docs, 0); !errors.As(err, &behind) {
		t.Errorf("pin: %v", err)
	}
	if err := s.Stage(ctx, docs, func(*store.Stage) error { return nil }); !errors.As(err, &behind) {
		t.Errorf("stage: %v", err)
	}
	publish(t, s, "other", map[object.Path][]byte{"b": prose(1, 10)})
}

func TestReserve(t *testing.T) {
	var full *store.FullError
	if _, err := store.Open(context.Background(), t.TempDir(), store.Options{Reserve: 1 << 60}); !errors.As(err, &full) {
		t.Errorf("open: %v", err)
	}
}

// A directory that is replaced under a running store stops it from publishing.
func TestDirectoryReplaced(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	s, err := store.Open(context.Background(), dir, store.Options{CloseTimeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // Badger tries for ever to write a table into a directory that is gone
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Fatal(err)
	}
	var fenced *store.FencedError
	if err := s.Stage(context.Background(), docs, func(*store.Stage) error { return nil }); !errors.As(err, &fenced) {
		t.Errorf("stage: %v", err)
	}
}

// What a process leaves that is killed while Badger makes its logs does not keep the store from opening.
func TestEmptyLogs(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	publish(t, s, docs, map[object.Path][]byte{"a": prose(1, 1000)})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"009999.vlog", "09999.mem"} {
		if err := os.WriteFile(filepath.Join(dir, "badger", name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s = open(t, dir)
	check(t, s)
	publish(t, s, docs, map[object.Path][]byte{"b": prose(2, 1000)})
}
