package index_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/cleave-project/cleave/core/index"
	"github.com/cleave-project/cleave/core/object"
)

func open(t *testing.T, dir string) *index.Index {
	t.Helper()
	x, err := index.Open(dir, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

func follow(t *testing.T, x *index.Index, from, to *memory) *index.View {
	t.Helper()
	var f index.Tree
	if from != nil {
		f = from
	}
	if err := x.Follow(t.Context(), f, to); err != nil {
		t.Fatal(err)
	}
	v, err := index.BuildView(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// find returns "path#chunk" of the matches.
func find(t *testing.T, x *index.Index, v *index.View, text string) []string {
	t.Helper()
	matches, err := x.Search(t.Context(), v, index.Query{Text: text, K: 10})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range matches {
		got = append(got, fmt.Sprintf("%s#%d", m.Path, m.Chunk))
	}
	return got
}

func want(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func rows(t *testing.T, x *index.Index) int {
	t.Helper()
	n, err := x.Rows()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestFollowEditRenameDelete(t *testing.T) {
	s := newShared()
	x := open(t, filepath.Join(t.TempDir(), "i"))
	files := map[string]string{
		"a.md": "# Alpha\n\nthe apple tree\n\nthe banana plant\n\n",
		"b.md": "a cherry orchard\n\n",
	}
	g1 := s.files(files)
	v1 := follow(t, x, nil, g1)
	want(t, "first", find(t, x, v1, "banana"), "a.md#2")
	if n := rows(t, x); n != 4 || n != v1.Rows() {
		t.Errorf("got %d rows, view has %d, want 4", n, v1.Rows())
	}

	files["a.md"] = "# Alpha\n\nthe apple tree\n\nthe damson plant\n\n" // edit of one paragraph
	g2 := s.files(files)
	v2 := follow(t, x, g1, g2)
	want(t, "edited away", find(t, x, v2, "banana"))
	want(t, "edited in", find(t, x, v2, "damson"), "a.md#2")
	if n := rows(t, x); n != 5 {
		t.Errorf("an edit of one paragraph adds one row: got %d rows, want 5", n)
	}
	if err := x.Sweep(t.Context(), v2); err != nil {
		t.Fatal(err)
	}
	if n := rows(t, x); n != v2.Rows() {
		t.Errorf("after the sweep: got %d rows, want %d", n, v2.Rows())
	}

	files["sub/c.md"] = files["b.md"] // rename
	delete(files, "b.md")
	g3 := s.files(files)
	v3 := follow(t, x, g2, g3)
	want(t, "renamed", find(t, x, v3, "cherry"), "sub/c.md#0")

	g4 := s.files(nil) // everything deleted
	v4 := follow(t, x, g3, g4)
	want(t, "deleted", find(t, x, v4, "apple cherry damson"))
	if err := x.Sweep(t.Context(), v4); err != nil {
		t.Fatal(err)
	}
	if n := rows(t, x); n != 0 {
		t.Errorf("after everything was deleted: got %d rows, want 0", n)
	}
	if _, err := x.Search(t.Context(), v3, index.Query{Text: "apple", K: 1}); !errors.Is(err, index.ErrBehind) {
		t.Errorf("search in a view whose rows are gone: got %v, want ErrBehind", err)
	}
	if err := x.Follow(t.Context(), g1, g2); !errors.Is(err, index.ErrMark) {
		t.Errorf("follow from another generation than the marked: got %v, want ErrMark", err)
	}
}

func TestMetadataChangeWritesNoRow(t *testing.T) {
	s := newShared()
	x := open(t, t.TempDir())
	e := s.put("an apple\n\n")
	g1 := s.publish(map[object.Path]object.Entry{"a": e})
	follow(t, x, nil, g1)
	e.Access.Mode, e.State = 0o600, object.StateStale
	v := follow(t, x, g1, s.publish(map[object.Path]object.Entry{"a": e}))
	if n := rows(t, x); n != 1 || x.Spare() != 0 {
		t.Errorf("got %d rows and %d to sweep, want 1 and 0", n, x.Spare())
	}
	if d, ok := v.Document("a"); !ok || d.Entry.Access.Mode != 0o600 {
		t.Errorf("the view has %+v", d)
	}
	want(t, "still found", find(t, x, v, "apple"), "a#0")
}

// A hold keeps the rows of its view through Follow and Sweep; afterwards they go.
func TestHoldKeepsRows(t *testing.T) {
	s := newShared()
	x := open(t, t.TempDir())
	g1 := s.files(map[string]string{"a": "apple\n\n"})
	v1 := follow(t, x, nil, g1)
	hold, err := x.Hold(v1)
	if err != nil {
		t.Fatal(err)
	}
	g2 := s.files(map[string]string{"a": "banana\n\n"})
	v2 := follow(t, x, g1, g2)
	sweep := func() {
		t.Helper()
		if err := x.Sweep(t.Context(), v2); err != nil {
			t.Fatal(err)
		}
	}
	sweep()
	want(t, "held", find(t, x, v1, "apple"), "a#0")
	want(t, "head", find(t, x, v2, "banana"), "a#0")
	want(t, "head does not see the held row", find(t, x, v2, "apple"))
	if _, err := x.Hold(v1); !errors.Is(err, index.ErrBehind) {
		t.Errorf("hold of a view behind the mark: got %v, want ErrBehind", err)
	}
	hold.Release()
	sweep()
	if n := rows(t, x); n != 1 {
		t.Errorf("after release and sweep: got %d rows, want 1", n)
	}

	again, err := x.Ensure(t.Context(), g1, v1) // --generation 1
	if err != nil {
		t.Fatal(err)
	}
	sweep()
	want(t, "ensured", find(t, x, v1, "apple"), "a#0")
	again.Release()
	sweep()
	if n := rows(t, x); n != 1 || x.Spare() != 0 {
		t.Errorf("got %d rows and %d to sweep, want 1 and 0", n, x.Spare())
	}
}

// A revert makes rows alive again that wait for the sweep.
func TestRevertBeforeSweep(t *testing.T) {
	s := newShared()
	x := open(t, t.TempDir())
	g1 := s.files(map[string]string{"a": "apple\n\nplum\n\n"})
	follow(t, x, nil, g1)
	g2 := s.files(map[string]string{"a": "plum\n\n"})
	follow(t, x, g1, g2)
	g3 := s.files(map[string]string{"a": "apple\n\nplum\n\n"})
	v3 := follow(t, x, g2, g3)
	if err := x.Sweep(t.Context(), v3); err != nil {
		t.Fatal(err)
	}
	want(t, "alive again", find(t, x, v3, "apple"), "a#0")
}

// failing is a tree whose nth text cannot be read: a Follow that ends in the middle.
type failing struct {
	*memory
	left int
}

var errDisk = errors.New("disk on fire")

func (f *failing) Text(ctx context.Context, doc object.Document, start, end int64) ([]byte, error) {
	if f.left--; f.left < 0 {
		return nil, errDisk
	}
	return f.memory.Text(ctx, doc, start, end)
}

// A move that ends anywhere, with rows in or not, is taken up again, also by another process; nothing is left over.
func TestFollowIsRepeatable(t *testing.T) {
	files := map[string]string{}
	for i, fruit := range []string{"apple", "banana", "cherry", "damson", "elder", "fig"} {
		files[fmt.Sprintf("%d.md", i)] = fruit + " jam\n\n"
	}
	for left := range 6 {
		t.Run(fmt.Sprint(left), func(t *testing.T) {
			s := newShared()
			dir := t.TempDir()
			x, err := index.Open(dir, index.Options{BatchBytes: 1}) // a batch for each row
			if err != nil {
				t.Fatal(err)
			}
			g1 := s.files(map[string]string{"old.md": "something old\n\n"})
			follow(t, x, nil, g1)
			g2 := s.files(files)
			if err := x.Follow(t.Context(), g1, &failing{g2, left}); !errors.Is(err, errDisk) {
				t.Fatalf("got %v, want %v", err, errDisk)
			}
			if mark, err := x.Mark(); err != nil || mark.Number != 1 {
				t.Errorf("mark %d, %v; want 1", mark.Number, err)
			}
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			x = open(t, dir)
			if x.Dropped() != nil {
				t.Fatal(x.Dropped())
			}
			v2 := follow(t, x, g1, g2)
			x.Close() // before the sweep: its book is lost
			x = open(t, dir)
			if err := x.Sweep(t.Context(), v2); err != nil {
				t.Fatal(err)
			}
			if n := rows(t, x); n != v2.Rows() {
				t.Errorf("got %d rows, want %d", n, v2.Rows())
			}
			want(t, "found", find(t, x, v2, "damson"), "3.md#0")
			want(t, "old", find(t, x, v2, "old"))
		})
	}
}

// flip changes a byte in the middle of a file.
func flip(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func segments(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.zap"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("segments %v, %v", paths, err)
	}
	return paths
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestDamageIsDropped(t *testing.T) {
	s := newShared()
	g1 := s.files(map[string]string{"a": "apple\n\n"})
	for name, damage := range map[string]struct {
		do   func(t *testing.T, dir string)
		said bool // by Dropped; what the engine passes over itself is not
	}{
		"flipped byte": {func(t *testing.T, dir string) { flip(t, segments(t, dir)[0]) }, true},
		"short segment": {func(t *testing.T, dir string) {
			write(t, segments(t, dir)[0], []byte("ab"))
		}, true},
		"segment gone": {func(t *testing.T, dir string) {
			for _, s := range segments(t, dir) {
				os.Remove(s)
			}
		}, false},
		"root cut": {func(t *testing.T, dir string) {
			if err := os.Truncate(filepath.Join(dir, "root.bolt"), 100); err != nil {
				t.Fatal(err)
			}
		}, true},
		"root of something else": {func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "root.bolt"), bytes.Repeat([]byte("root "), 10_000))
		}, true},
		"root empty": {func(t *testing.T, dir string) { write(t, filepath.Join(dir, "root.bolt"), nil) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			dir := filepath.Join(t.TempDir(), "i")
			x := open(t, dir)
			follow(t, x, nil, g1)
			x.Close()
			damage.do(t, dir)
			x = open(t, dir)
			defer x.Close()
			if got := x.Dropped() != nil; got != damage.said {
				t.Errorf("dropped: %v", x.Dropped())
			}
			mark, err := x.Mark()
			if err != nil || mark.Number != 0 {
				t.Fatalf("mark %+v, %v; want none", mark, err)
			}
			v := follow(t, x, nil, g1) // I11: built again
			want(t, "rebuilt", find(t, x, v, "apple"), "a#0")
		})
	}
}

// What is no damage is an error that leaves the files, no goroutine and no lock behind.
func TestOpenDropsOnlyDamage(t *testing.T) {
	s := newShared()
	g1 := s.files(map[string]string{"a": "apple\n\n"})
	dir := filepath.Join(t.TempDir(), "i")
	x := open(t, dir)
	v := follow(t, x, nil, g1)
	alive := goleak.IgnoreCurrent()
	if _, err := index.Open(dir, index.Options{}); err == nil {
		t.Fatal("opened twice")
	}
	goleak.VerifyNone(t, alive)
	want(t, "still open", find(t, x, v, "apple"), "a#0")
	x.Close()

	segment := segments(t, dir)[0]
	if err := os.Rename(segment, segment+".kept"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(segment, 0o700); err != nil { // reading it fails with EISDIR, whoever asks
		t.Fatal(err)
	}
	if _, err := index.Open(dir, index.Options{}); !errors.Is(err, syscall.EISDIR) {
		t.Fatalf("got %v, want %v", err, syscall.EISDIR)
	}
	if err := os.Remove(segment); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(segment+".kept", segment); err != nil {
		t.Fatal(err)
	}
	x = open(t, dir)
	defer x.Close()
	if x.Dropped() != nil {
		t.Fatal(x.Dropped())
	}
	want(t, "as it was", find(t, x, v, "apple"), "a#0")
}

// Segments that go bad under an open index are damage, not wrong answers that look right or an end of the process.
func TestDamageDuringService(t *testing.T) {
	s := newShared()
	files := map[string]string{}
	for i := range 200 {
		files[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("apple number %d of many\n\n", i)
	}
	g1 := s.files(files)
	dir := filepath.Join(t.TempDir(), "i")
	x := open(t, dir)
	v := follow(t, x, nil, g1)
	spoil(t, dir)
	_, err := x.Search(t.Context(), v, index.Query{Text: "apple many", K: 10})
	var damage *index.DamageError
	if !errors.As(err, &damage) {
		t.Fatalf("got %v, want a DamageError", err)
	}
}

// spoil overwrites the segments in place: they stay mapped.
func spoil(t *testing.T, dir string) {
	t.Helper()
	for _, path := range segments(t, dir) {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		info, err := f.Stat()
		if err == nil {
			_, err = f.WriteAt(bytes.Repeat([]byte{0xff}, int(info.Size())), 0)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
}
