package scan_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/cleave-project/cleave/core/scan"
	"golang.org/x/sys/unix"
)

func rootError(t *testing.T, o scan.Options) *scan.RootError {
	t.Helper()
	l, err := scan.Walk(context.Background(), o)
	e, ok := errors.AsType[*scan.RootError](err)
	if !ok || l != nil {
		t.Fatalf("Walk = %v, %v; want a RootError", l, err)
	}
	if strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "nothing was removed") {
		t.Errorf("the error is no clear line: %q", err)
	}
	return e
}

func TestRootGone(t *testing.T) {
	root := tree(t, map[string]string{"file": ""})
	for path, want := range map[string]scan.RootState{
		"none": scan.RootGone, "none/none": scan.RootGone, "file": scan.RootNotDirectory, "file/none": scan.RootGone,
	} {
		if e := rootError(t, scan.Options{Root: filepath.Join(root, path)}); e.State != want || e.Err == nil {
			t.Errorf("%s: %v, want %s", path, e, want)
		}
	}
}

// A root that was removed and made again is another one, though most file systems give it the same inode (W06, W13).
func TestRootReplaced(t *testing.T) {
	root := filepath.Join(t.TempDir(), "root")
	write := func() {
		t.Helper()
		if err := os.Mkdir(root, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "a"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write()
	o := scan.Options{Root: root}
	first := walk(t, o).Root
	o.RootID = &first
	if again := walk(t, o).Root; again != first {
		t.Errorf("the same root is %v and %v", first, again)
	}
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	e := rootError(t, o)
	if e.State != scan.RootReplaced || e.Want != first || !strings.Contains(e.Error(), "--accept-root") {
		t.Errorf("%v", e)
	}
	o.AcceptRoot = true
	if l := walk(t, o); len(l.Files) != 0 || l.Root != e.Have {
		t.Errorf("accepted: %+v", l)
	}
}

// A root that is emptied is itself: its files are gone (W13, step 5).
func TestRootEmptied(t *testing.T) {
	root := tree(t, map[string]string{"a": "", "d/b": ""})
	o := scan.Options{Root: root}
	id := walk(t, o).Root
	for _, path := range []string{"a", "d"} {
		if err := os.RemoveAll(filepath.Join(root, path)); err != nil {
			t.Fatal(err)
		}
	}
	o.RootID = &id
	if l := walk(t, o); len(l.Files) != 0 {
		t.Errorf("%+v", l)
	}
}

// A disk that is not mounted leaves its mount point, which lists cleanly and is not the root (W13).
func TestRootUnmounted(t *testing.T) {
	root := t.TempDir()
	mount := func() {
		t.Helper()
		if err := unix.Mount("cleave-test", root, "tmpfs", 0, "size=1m"); err != nil {
			t.Skipf("cannot mount here: %v", err)
		}
		t.Cleanup(func() { unix.Unmount(root, unix.MNT_DETACH) })
	}
	mount()
	if err := os.WriteFile(filepath.Join(root, "a"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	o := scan.Options{Root: root}
	id := walk(t, o).Root
	o.RootID = &id
	if err := unix.Unmount(root, 0); err != nil {
		t.Fatal(err)
	}
	if e := rootError(t, o); e.State != scan.RootReplaced {
		t.Errorf("unmounted: %v", e)
	}
	mount()
	if e := rootError(t, o); e.State != scan.RootReplaced {
		t.Errorf("another disk: %v", e)
	}
}

// A directory mounted inside itself ends; a mount that is no loop is walked like any folder.
func TestMountsInTheTree(t *testing.T) {
	root := tree(t, map[string]string{"a": "", "d/loop/": "", "d/b": "", "m/": "", "other/": ""})
	bind := func(from, to string) {
		t.Helper()
		to = filepath.Join(root, to)
		if err := unix.Mount(filepath.Join(root, from), to, "", unix.MS_BIND, ""); err != nil {
			t.Skipf("cannot mount here: %v", err)
		}
		t.Cleanup(func() { unix.Unmount(to, unix.MNT_DETACH) })
	}
	bind(".", "d/loop")
	bind("d", "m")
	l := walk(t, scan.Options{Root: root})
	equal(t, "files", paths(l), []string{"a", "d/b", "m/b"})
	equal(t, "left out", leftOut(l), map[string]scan.Reason{"d/loop/": scan.Loop})
}

// asNobody runs f as a user that is not root where we are root, so that permissions mean something. The user of a
// thread is changed, which ends with f.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Getuid() != 0 {
		f()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if err := unix.Setfsuid(65534); err != nil {
			t.Errorf("setfsuid: %v", err)
			return
		}
		f()
	}()
	<-done
}

// Folders that may not be listed, or not searched, are carried with all beneath them; the rest is listed (W14).
func TestUnreadableFolders(t *testing.T) {
	root := tree(t, map[string]string{
		"a": "", "closed/x": "", "closed/y/z": "", "d/e": "", "names/f": "", "names/g/h": "", "rules/.gitignore": "x", "rules/x": "", "z": "",
	})
	chmod := func(path string, mode os.FileMode) {
		t.Helper()
		if err := os.Chmod(filepath.Join(root, path), mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(filepath.Join(root, path), 0o755) })
	}
	for dir := root; dir != "/" && dir != os.TempDir(); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	chmod("closed", 0)
	chmod("names", 0o444)
	chmod("rules/.gitignore", 0)
	var l *scan.Listing
	var err error
	asNobody(t, func() { l, err = scan.Walk(context.Background(), scan.Options{Root: root}) })
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "files", paths(l), []string{"a", "d/e", "z"})
	equal(t, "left out", leftOut(l), map[string]scan.Reason{})
	var dirs []string
	for _, c := range l.Carried {
		dirs = append(dirs, c.Dir)
		if !errors.Is(c.Err, fs.ErrPermission) {
			t.Errorf("%s: %v", c.Dir, c.Err)
		}
	}
	equal(t, "carried", dirs, []string{"closed/", "names/", "rules/"})

	chmod("", 0)
	asNobody(t, func() { l, err = scan.Walk(context.Background(), scan.Options{Root: root}) })
	if e, ok := errors.AsType[*scan.RootError](err); !ok || e.State != scan.RootUnreadable || l != nil {
		t.Errorf("unreadable root: %v, %v", l, err)
	}
}

func TestRootIDText(t *testing.T) {
	for _, id := range []scan.RootID{{}, {FSID: 1, Inode: 2}, {FSID: 1 << 63, Inode: 1<<64 - 1, Born: -1}} {
		got, err := scan.ParseRootID(id.String())
		if err != nil || got != id {
			t.Errorf("%v: %v, %v", id, got, err)
		}
	}
	for _, s := range []string{"", "1-2-3", "x", scan.RootID{}.String() + " ", " " + scan.RootID{}.String()} {
		if id, err := scan.ParseRootID(s); err == nil {
			t.Errorf("ParseRootID(%q) = %v", s, id)
		}
	}
	a := scan.RootID{FSID: 1, Inode: 2, Born: 3}
	for _, tc := range []struct {
		o    scan.RootID
		want bool
	}{
		{a, true}, {scan.RootID{FSID: 1, Inode: 2}, true}, {scan.RootID{FSID: 1, Inode: 2, Born: 4}, false},
		{scan.RootID{FSID: 1, Inode: 3, Born: 3}, false}, {scan.RootID{FSID: 2, Inode: 2, Born: 3}, false},
	} {
		if a.Same(tc.o) != tc.want || tc.o.Same(a) != tc.want {
			t.Errorf("%v and %v: same = %t", a, tc.o, !tc.want)
		}
	}
}
