package scan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// faulty is the kernel with something that happens before its nth call: an error instead, an action, or both.
type faulty struct {
	calls
	nth    int // counts down; the fault has happened when it is below 1
	err    error
	action func()
	on     string // only calls of this name count; "": all
}

func (f *faulty) String() string { return fmt.Sprintf("%v at call %d %s", f.err, f.nth, f.on) }

func (f *faulty) happened() bool { return f.nth < 1 }

func (f *faulty) call(name string) error {
	if f.on != "" && f.on != name {
		return nil
	}
	f.nth--
	if f.nth != 0 {
		return nil
	}
	if f.action != nil {
		f.action()
	}
	return f.err
}

func (f *faulty) open(dir int, name string, flags int) (int, error) {
	if err := f.call("open"); err != nil {
		return -1, err
	}
	return f.calls.open(dir, name, flags)
}

func (f *faulty) list(fd int, buf []byte) (int, error) {
	if err := f.call("list"); err != nil {
		return 0, err
	}
	return f.calls.list(fd, buf)
}

func (f *faulty) lstat(dir int, name string, st *unix.Stat_t) error {
	if err := f.call("lstat"); err != nil {
		return err
	}
	return f.calls.lstat(dir, name, st)
}

func (f *faulty) fstat(fd int, st *unix.Stat_t) error {
	if err := f.call("fstat"); err != nil {
		return err
	}
	return f.calls.fstat(fd, st)
}

func (f *faulty) read(fd int, buf []byte) (int, error) {
	if err := f.call("read"); err != nil {
		return 0, err
	}
	return f.calls.read(fd, buf)
}

// canary is what stands in a file outside the root; nobody may ever read it (W21).
const canary = "outside"

// smallTree has folders in folders, ignore files, and a folder d that the tests do things to.
func smallTree(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "root")
	write(t, filepath.Join(root, "../out/secret"), canary)
	write(t, filepath.Join(root, "../out/a"), canary)
	for _, path := range []string{"a", "b/x", "b/y/z", "d/a", "d/e/f", "d/e/g", "d/h", "e", "f/x", "f/skip"} {
		write(t, filepath.Join(root, path), path)
	}
	write(t, filepath.Join(root, "f/.gitignore"), "skip\n")
	write(t, filepath.Join(root, "d/.cleaveignore"), "nothing\n")
	return root
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func walkWith(t *testing.T, root string, sys calls) (*Listing, error) {
	t.Helper()
	r, err := OpenRoot(Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.sys = sys
	return r.Walk(context.Background(), Options{Root: root})
}

// openFiles counts the process's descriptors.
func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skipf("cannot count descriptors: %v", err)
	}
	return len(entries)
}

func pathsOf(l *Listing) []string {
	var out []string
	for _, f := range l.Files {
		out = append(out, f.Path)
	}
	return out
}

// Whichever call fails, the walk fails: there is no listing that lacks something (I2, W15).
func TestAnyErrorFailsTheWalk(t *testing.T) {
	root := smallTree(t)
	want, err := walkWith(t, root, kernel{})
	if err != nil {
		t.Fatal(err)
	}
	open := openFiles(t)
	defer func() {
		if now := openFiles(t); now != open {
			t.Errorf("%d descriptors are open, %d were", now, open)
		}
	}()
	for _, errno := range []error{unix.EIO, unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.ESTALE} {
		n := 1
		for ; ; n++ {
			f := &faulty{calls: kernel{}, nth: n, err: errno}
			l, err := walkWith(t, root, f)
			if !f.happened() {
				if err != nil || !slices.Equal(pathsOf(l), pathsOf(want)) {
					t.Errorf("without a fault: %v, %v", l, err)
				}
				break
			}
			if l != nil || !errors.Is(err, errno) {
				t.Fatalf("call %d gave %v: Walk = %v, %v", n, errno, l, err)
			}
		}
		if n < 20 {
			t.Fatalf("the walk made %d calls only", n)
		}
	}
}

// Whichever call is refused, what is not listed lies beneath a folder that is carried, and nothing listed does (W14).
func TestRefusedCallsCarry(t *testing.T) {
	root := smallTree(t)
	want, err := walkWith(t, root, kernel{})
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; ; n++ {
		f := &faulty{calls: kernel{}, nth: n, err: unix.EACCES}
		l, err := walkWith(t, root, f)
		if !f.happened() {
			break
		}
		if e, ok := errors.AsType[*RootError](err); ok && e.State == RootUnreadable {
			continue
		}
		if err != nil || len(l.Carried) != 1 {
			t.Fatalf("call %d: carried %v, %v", n, l, err)
		}
		dir := l.Carried[0].Dir
		rest := slices.DeleteFunc(pathsOf(want), func(p string) bool { return strings.HasPrefix(p, dir) })
		if !slices.Equal(pathsOf(l), rest) || !errors.Is(l.Carried[0].Err, fs.ErrPermission) {
			t.Errorf("call %d carried %v: files %q, want %q", n, l.Carried, pathsOf(l), rest)
		}
		for _, x := range l.LeftOut {
			if strings.HasPrefix(x.Path, dir) {
				t.Errorf("call %d carried %q and left out %q", n, dir, x.Path)
			}
		}
	}
}

// Whatever happens to a folder during the walk, everything beside it is listed, and nothing outside the root is read.
func TestRacesCostOneFolder(t *testing.T) {
	races := map[string]func(d string) error{
		"removed": os.RemoveAll,
		"recreated": func(d string) error {
			return errors.Join(os.RemoveAll(d), os.Mkdir(d, 0o755), os.WriteFile(d+"/new", nil, 0o644))
		},
		"link outside": func(d string) error { return errors.Join(os.Rename(d, d+"-away"), os.Symlink("../out", d)) },
		"now a file":   func(d string) error { return errors.Join(os.RemoveAll(d), os.WriteFile(d, nil, 0o644)) },
		"now a fifo":   func(d string) error { return errors.Join(os.RemoveAll(d), syscall.Mkfifo(d, 0o644)) },
		"moved out":    func(d string) error { return os.Rename(d, d+"/../../moved") },
		"ignore file now a fifo": func(d string) error {
			return errors.Join(os.Remove(d+"/.cleaveignore"), syscall.Mkfifo(d+"/.cleaveignore", 0o644))
		},
	}
	for name, race := range races {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				root := smallTree(t)
				f := &faulty{calls: kernel{}, nth: n, action: func() {
					if err := race(filepath.Join(root, "d")); err != nil {
						t.Fatal(err)
					}
				}}
				l, err := walkWith(t, root, f)
				if !f.happened() {
					return
				}
				if err != nil {
					t.Fatalf("call %d: %v", n, err)
				}
				var beside []string
				for _, p := range pathsOf(l) {
					if p != "d" && !strings.HasPrefix(p, "d/") && !strings.HasPrefix(p, "d-away/") {
						beside = append(beside, p)
					}
				}
				if want := []string{"a", "b/x", "b/y/z", "e", "f/x"}; !slices.Equal(beside, want) {
					t.Errorf("call %d: %q, want %q", n, beside, want)
				}
				readAllListed(t, root, l)
			}
		})
	}
}

// readAllListed reads what was listed, from a tree that changed since.
func readAllListed(t *testing.T, root string, l *Listing) {
	t.Helper()
	r, err := OpenRoot(Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, f := range l.Files {
		if data, _, err := r.Read(f.Path, 1<<10); err == nil && string(data) == canary {
			t.Errorf("read %q outside the root", f.Path)
		}
	}
}

// A root that is swapped during the walk publishes nothing, though every call succeeded.
func TestRootReplacedDuringTheWalk(t *testing.T) {
	for n := 1; ; n++ {
		root := smallTree(t)
		f := &faulty{calls: kernel{}, nth: n, action: func() {
			if err := errors.Join(os.RemoveAll(root), os.Mkdir(root, 0o755)); err != nil {
				t.Fatal(err)
			}
		}}
		l, err := walkWith(t, root, f)
		if !f.happened() {
			return
		}
		if e, ok := errors.AsType[*RootError](err); !ok || l != nil {
			t.Fatalf("call %d: Walk = %v, %v", n, l, err)
		} else if e.State != RootReplaced && e.State != RootFailing {
			t.Errorf("call %d: %v", n, e)
		}
	}
}

// What Read returns was in the file at one moment: a write between two calls makes it read again.
func TestReadOfAChangingFile(t *testing.T) {
	for n := 1; ; n++ {
		root := smallTree(t)
		r, err := OpenRoot(Options{Root: root})
		if err != nil {
			t.Fatal(err)
		}
		f := &faulty{calls: kernel{}, nth: n, action: func() { write(t, filepath.Join(root, "b/x"), "longer than before") }}
		r.sys = f
		data, file, err := r.Read("b/x", 1<<10)
		r.Close()
		if err != nil || file.Size != int64(len(data)) {
			t.Errorf("call %d: %q, %+v, %v", n, data, file, err)
		}
		if s := string(data); s != "b/x" && s != "longer than before" {
			t.Errorf("call %d: torn read %q", n, s)
		}
		if !f.happened() {
			return
		}
	}
}

// always does the same before every read.
type always struct {
	calls
	action func()
}

func (a always) read(fd int, buf []byte) (int, error) { a.action(); return a.calls.read(fd, buf) }

func TestReadOfAFileThatNeverRests(t *testing.T) {
	root := smallTree(t)
	r, err := OpenRoot(Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	size := 0
	r.sys = always{kernel{}, func() { size++; write(t, filepath.Join(root, "a"), strings.Repeat("x", size)) }}
	if data, _, err := r.Read("a", 1<<10); !errors.Is(err, ErrChanged) {
		t.Errorf("Read = %q, %v", data, err)
	}
	if size > 20 {
		t.Errorf("%d reads: the read went after the writer", size)
	}
}

// A regular file that is swapped for a fifo or a link between two calls neither blocks nor leads outside (W20).
func TestReadOfASwappedFile(t *testing.T) {
	swaps := map[string]func(path string) error{
		"fifo": func(p string) error { return errors.Join(os.Remove(p), syscall.Mkfifo(p, 0o644)) },
		"link": func(p string) error { return errors.Join(os.Remove(p), os.Symlink("../../out/secret", p)) },
		"parent": func(p string) error {
			return errors.Join(os.Rename(filepath.Dir(p), filepath.Dir(p)+"-gone"), os.Symlink("../out", filepath.Dir(p)))
		},
	}
	for name, swap := range swaps {
		t.Run(name, func(t *testing.T) {
			for n := 1; ; n++ {
				root := smallTree(t)
				r, err := OpenRoot(Options{Root: root})
				if err != nil {
					t.Fatal(err)
				}
				f := &faulty{calls: kernel{}, nth: n, action: func() {
					if err := swap(filepath.Join(root, "d/a")); err != nil {
						t.Fatal(err)
					}
				}}
				r.sys = f
				data, _, err := r.Read("d/a", 1<<10)
				r.Close()
				if err == nil && string(data) != "d/a" {
					t.Errorf("call %d: read %q", n, data)
				}
				if !f.happened() {
					return
				}
			}
		})
	}
}
