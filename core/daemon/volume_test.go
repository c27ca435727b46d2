package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/index"
	"github.com/cleave-project/cleave/core/ingest"
	"github.com/cleave-project/cleave/core/object"
)

// spoilFiles overwrites a source's segments in place: they stay mapped.
func (l *lab) spoilFiles(name string) {
	l.t.Helper()
	paths, err := filepath.Glob(filepath.Join(l.cfg.StateDir, "index", name, "*", "*.zap"))
	if err != nil || len(paths) == 0 {
		l.t.Fatalf("segments of %s: %v, %v", name, paths, err)
	}
	for _, path := range paths {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			l.t.Fatal(err)
		}
		info, err := f.Stat()
		if err == nil {
			_, err = f.WriteAt(bytes.Repeat([]byte{0xff}, int(info.Size())), 0)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			l.t.Fatal(err)
		}
	}
}

func (l *lab) volumesOf(name string) []int {
	l.t.Helper()
	numbers, strange, err := volumes(filepath.Join(l.cfg.StateDir, "index", name))
	if err != nil || len(strange) > 0 {
		l.t.Errorf("volumes of %s: strange %v, %v", name, strange, err)
	}
	return numbers
}

func (l *lab) advance(s *source) {
	l.t.Helper()
	if err := s.advance(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
}

// I11: an index that is damaged while nobody looks is made anew at the start, and the log says so.
func TestDamagedIndexAtStart(t *testing.T) {
	dir := t.TempDir()
	l := newLab(t, dir)
	l.publish("docs", many("apple"))
	l.start("docs")
	l.finds("apple", "docs")
	l.spoilFiles("docs")
	l.stop()

	l = newLab(t, dir)
	l.start("docs")
	l.finds("apple", "docs")
	if !strings.Contains(l.log.String(), "index dropped") {
		t.Errorf("the log says nothing of it:\n%s", l.log)
	}
}

// What an older version, a rebuild or somebody else left in the directory goes.
func TestLeftoversAtStart(t *testing.T) {
	dir := t.TempDir()
	home := filepath.Join(dir, "index", "docs")
	for _, name := range []string{"1", "2", "03", "store"} {
		if err := os.MkdirAll(filepath.Join(home, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "root.bolt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := newLab(t, dir)
	l.publish("docs", many("apple"))
	l.start("docs")
	l.finds("apple", "docs")
	if got := l.volumesOf("docs"); !slices.Equal(got, []int{2}) {
		t.Errorf("volumes %v, want 2", got)
	}
}

// Damage that a query meets costs that answer its source, says so, and is mended beside what is still leased.
func TestDamagedIndexDuringService(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	l := newLab(t, t.TempDir())
	defer l.stop()
	l.publish("docs", many("apple"))
	l.publish("wiki", many("apple"))
	l.start("docs", "wiki")
	docs := l.sources[0]
	l.finds("apple", "docs", "wiki")
	held, err := docs.acquire(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	l.spoilFiles("docs")

	a, err := l.query("apple", 0)
	if err != nil || len(a.Hits) == 0 || a.Hits[0].Source != "wiki" || !strings.Contains(strings.Join(a.Degraded, "\n"), "source docs: its index is damaged") {
		t.Fatalf("got %d hits, degraded %v, %v", len(a.Hits), a.Degraded, err)
	}
	if len(docs.calls) != 1 {
		t.Errorf("%d scans are asked for, want one that mends", len(docs.calls))
	}
	_, err = l.query("apple", 0, "docs")
	if e, ok := errors.AsType[*control.Error](err); !ok || e.Code != "busy" {
		t.Errorf("the damaged source alone: %v, want busy", err)
	}

	l.advance(docs)
	l.finds("apple", "docs", "wiki")
	if got := l.volumesOf("docs"); len(got) != 2 {
		t.Errorf("volumes %v: the lease on the old one is out", got)
	}
	if n, err := docs.indexed(); n != 1 || err != nil {
		t.Errorf("indexed %d, %v", n, err)
	}
	held.release()
	if got := l.volumesOf("docs"); !slices.Equal(got, []int{2}) {
		t.Errorf("volumes %v, want only the new one", got)
	}
	l.publish("docs", many("banana"))
	l.advance(docs)
	l.finds("banana", "docs")
}

// A scan that fails, here for want of the root, mends the index all the same.
func TestIndexIsMendedWithoutTheRoot(t *testing.T) {
	l := newLab(t, t.TempDir())
	l.publish("docs", many("apple"))
	l.start("docs")
	s := l.sources[0]
	var err error
	if s.deps.Roots, err = ingest.OpenRoots(filepath.Join(l.cfg.StateDir, "roots")); err != nil {
		t.Fatal(err)
	}
	s.in.Root, s.revive = filepath.Join(t.TempDir(), "gone"), func(context.Context) {}
	l.spoilFiles("docs")
	if _, err := l.query("apple", 0); err == nil {
		t.Fatal("answered from a damaged index")
	}
	if end := s.scan(t.Context(), []scanCall{{reason: "scan"}}); !ingest.IsUnavailable(end.err) {
		t.Errorf("scan: %v, want that the root is gone", end.err)
	}
	l.finds("apple", "docs")
}

// A sweep that fails is owed: no failed scan, and made good by the next one, although there is nothing new to serve.
func TestSweepIsOwed(t *testing.T) {
	l := newLab(t, t.TempDir())
	l.publish("docs", many("apple"))
	l.start("docs")
	s := l.sources[0]
	rows := func() int {
		n, err := s.volume.index.Rows()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	l.publish("docs", map[object.Path]string{"a.md": "apple\n"})
	ctx, cancel := context.WithCancel(t.Context())
	pin, err := l.store.Pin(ctx, "docs", 0)
	if err != nil {
		t.Fatal(err)
	}
	next, err := s.follow(ctx, pin)
	if err != nil {
		t.Fatal(err)
	}
	s.serve(next)
	s.sweepOwed = true
	cancel()
	s.sweep(ctx)
	if !s.sweepOwed || rows() != 201 {
		t.Fatalf("%d rows, owed %t", rows(), s.sweepOwed)
	}
	l.advance(s)
	if s.sweepOwed || rows() != 1 {
		t.Errorf("%d rows, owed %t; want 1", rows(), s.sweepOwed)
	}
}

// A rebuild that is stopped leaves the old index answering and nothing behind; the next one succeeds.
func TestRebuildStopped(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	l := newLab(t, t.TempDir())
	defer l.stop()
	l.publish("docs", many("apple"))
	l.start("docs")
	s := l.sources[0]
	s.spoil(s.volume, &index.DamageError{What: "as if"})
	ctx, cancel := context.WithCancel(t.Context())
	pin, err := l.store.Pin(ctx, "docs", 0)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := s.volumeAt(ctx, pin); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want %v", err, context.Canceled)
	}
	pin.Release()
	if got := l.volumesOf("docs"); !slices.Equal(got, []int{1}) {
		t.Errorf("volumes %v, want 1", got)
	}
	l.finds("apple", "docs")
	l.advance(s)
	l.finds("apple", "docs")
	if got := l.volumesOf("docs"); !slices.Equal(got, []int{2}) {
		t.Errorf("volumes %v, want 2", got)
	}
}

// One source whose store is old, and one whose index cannot be opened, leave the third served; status tells of both.
func TestOneSourceOfThreeIsServed(t *testing.T) {
	dir := t.TempDir()
	l := newLab(t, dir)
	l.publish("docs", many("apple"))
	l.publish("old", many("apple"))
	l.publish("shut", many("apple"))
	l.stop()
	acknowledge(t, filepath.Join(dir, "store", "identity.json"), "old", 9)
	shut := filepath.Join(dir, "index", "shut")
	if err := os.MkdirAll(filepath.Dir(shut), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(shut, nil, 0o600); err != nil { // no directory can be made of it
		t.Fatal(err)
	}

	l = newLab(t, dir)
	l.start("old", "docs", "shut")
	l.finds("apple", "docs")
	a, err := l.query("apple", 0)
	if err != nil || len(a.Degraded) != 2 {
		t.Errorf("degraded %v, %v; want the two", a.Degraded, err)
	}
	for i, word := range map[int]string{0: "acknowledged", 2: "index"} {
		st := l.sources[i].status(t.Context())
		if st.State != stateDegraded || !strings.Contains(st.Reason, word) {
			t.Errorf("%s: %s, %s", st.Name, st.State, st.Reason)
		}
	}
	if err := os.Remove(shut); err != nil {
		t.Fatal(err)
	}
	l.advance(l.sources[2]) // as the next scan does
	l.finds("apple", "docs", "shut")
}

// acknowledge makes a store look older than what was acknowledged of a source.
func acknowledge(t *testing.T, file, source string, number int) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var id map[string]any
	if err := json.Unmarshal(data, &id); err != nil {
		t.Fatal(err)
	}
	id["acknowledged"].(map[string]any)[source] = number
	if data, err = json.Marshal(id); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A source that fails to open leaves no goroutine, no lock and no volume behind, wherever it is stopped.
func TestFailedOpenLeaksNothing(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	l := newLab(t, t.TempDir())
	defer l.stop()
	l.publish("docs", many("apple"))
	looks := 0
	for ; ; looks += 1 + looks/4 { // closer together at the start, where more is opened
		s, err := l.open(newCountdown(t.Context(), looks), "docs")
		if err == nil {
			l.sources = append(l.sources, s)
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d looks: %v", looks, err)
		}
	}
	if looks < 10 {
		t.Errorf("it looked %d times only", looks)
	}
	l.finds("apple", "docs")
}

// countdown is a context that ends when it has been looked at a number of times.
type countdown struct {
	context.Context
	left   atomic.Int64
	cancel func()
}

func newCountdown(ctx context.Context, looks int) *countdown {
	inner, cancel := context.WithCancel(ctx)
	c := &countdown{Context: inner, cancel: cancel}
	c.left.Store(int64(looks))
	return c
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
	return c.Context.Err()
}
