package scan_test

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/cleave-project/cleave/core/scan"
	"github.com/google/go-cmp/cmp"
)

// tree writes files below a new root; a path that ends in a slash is a directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, content := range files {
		full := filepath.Join(root, path)
		dir := filepath.Dir(full)
		if strings.HasSuffix(path, "/") {
			dir = full
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if dir != full {
			if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

func walk(t *testing.T, o scan.Options) *scan.Listing {
	t.Helper()
	l, err := scan.Walk(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func paths(l *scan.Listing) []string {
	out := []string{}
	for _, f := range l.Files {
		out = append(out, f.Path)
	}
	return out
}

func leftOut(l *scan.Listing) map[string]scan.Reason {
	out := map[string]scan.Reason{}
	for _, x := range l.LeftOut {
		out[x.Path] = x.Reason
	}
	return out
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// Paths are bytes: neither UTF-8 nor free of control characters, and "a.b" stands before "a/b" (W25).
func TestOrderIsOfPathBytes(t *testing.T) {
	want := []string{"B", "a-b", "a.b", "a/b", "a/c/d", "a0/x", "ab", "b\xff", "line\nbreak", "\x1b[2J", "é"}
	slices.Sort(want)
	files := map[string]string{}
	for _, path := range want {
		files[path] = path
	}
	l := walk(t, scan.Options{Root: tree(t, files)})
	equal(t, "files", paths(l), want)
	equal(t, "left out", leftOut(l), map[string]scan.Reason{})
	if l.Dirs != 4 || len(l.Carried) != 0 {
		t.Errorf("%d directories read, carried %v", l.Dirs, l.Carried)
	}
}

func TestFileIsWhatTheKernelSays(t *testing.T) {
	root := tree(t, map[string]string{"d/f": "12345"})
	full := filepath.Join(root, "d/f")
	if err := os.Chmod(full, 0o640); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(full)
	if err != nil {
		t.Fatal(err)
	}
	st := info.Sys().(*syscall.Stat_t)
	got := walk(t, scan.Options{Root: root}).Files
	equal(t, "file", got, []scan.File{{
		Path: "d/f", Size: 5, ModTime: st.Mtim.Nano(), ChangeTime: st.Ctim.Nano(), Inode: st.Ino, Dev: uint64(st.Dev),
		Mode: 0o640, UID: st.Uid, GID: st.Gid, Nlink: uint64(st.Nlink),
	}})
}

func TestEmptyTreeIsAListing(t *testing.T) {
	l := walk(t, scan.Options{Root: t.TempDir()})
	if len(l.Files) != 0 || len(l.LeftOut) != 0 || l.Dirs != 1 {
		t.Errorf("%+v", l)
	}
}

// Everything that is no file to split is left out with its reason (W20, W21).
func TestReasons(t *testing.T) {
	root := tree(t, map[string]string{
		"keep.md": "k", ".dot": "", ".git/config": "", ".config/x.md": "", "big.md": strings.Repeat("x", 11), "ten.md": strings.Repeat("x", 10),
		"drafts/a.md": "", "drafts/deep/b.md": "", "drafts.md": "", "x/drafts/c.md": "", "old/a.md": "", "notes.txt": "",
		"build/out.md": "", "x/skip.md": "", "x/.gitignore": "skip.md\n", ".gitignore": "build/\n",
	})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(syscall.Mkfifo(filepath.Join(root, "fifo.md"), 0o644))
	must(os.Symlink("keep.md", filepath.Join(root, "inside.md")))
	must(os.Symlink("/etc", filepath.Join(root, "outside")))
	must(os.Symlink("nowhere", filepath.Join(root, "dangling.md")))
	l, err := net.Listen("unix", filepath.Join(root, "s.md"))
	must(err)
	defer l.Close()
	want := map[string]scan.Reason{
		".dot": scan.Hidden, ".git/": scan.Hidden, ".config/": scan.Hidden, ".gitignore": scan.Hidden, "x/.gitignore": scan.Hidden,
		"big.md": scan.TooLarge, "drafts/": scan.Excluded, "old/": scan.Excluded, "notes.txt": scan.NotIncluded,
		"build/": scan.Ignored, "x/skip.md": scan.Ignored,
		"fifo.md": scan.FIFO, "inside.md": scan.Symlink, "outside": scan.Symlink, "dangling.md": scan.Symlink, "s.md": scan.Socket,
	}
	if err := syscall.Mknod(filepath.Join(root, "z.md"), syscall.S_IFCHR|0o644, 1<<8|5); err == nil {
		want["z.md"] = scan.Device
	} else {
		t.Logf("no device among the files: mknod: %v", err)
	}
	o := scan.Options{Root: root, Include: []string{"**/*.md"}, Exclude: []string{"drafts/**", "old"}, MaxSize: 10}
	got := walk(t, o)
	equal(t, "files", paths(got), []string{"drafts.md", "keep.md", "ten.md", "x/drafts/c.md"})
	equal(t, "left out", leftOut(got), want)

	o.Hidden, o.Include = true, nil
	got = walk(t, o)
	equal(t, "files with hidden ones", paths(got), []string{
		".config/x.md", ".dot", ".gitignore", "drafts.md", "keep.md", "notes.txt", "ten.md", "x/.gitignore", "x/drafts/c.md",
	})
	if r := leftOut(got)[".git/"]; r != scan.Ignored {
		t.Errorf(".git/ with hidden files: %q", r)
	}
}

func TestIgnoreFilesNearerAndOwnWin(t *testing.T) {
	root := tree(t, map[string]string{
		".gitignore": "*.log\n*.tmp\n/only-root\n", ".cleaveignore": "!a.log\n*.md\n",
		"a.log": "", "b.log": "", "c.md": "", "only-root": "",
		"sub/.gitignore": "!b.log\n!*.md\na.log\n", "sub/a.log": "", "sub/b.log": "", "sub/c.md": "", "sub/d.tmp": "", "sub/only-root": "",
	})
	equal(t, "files", paths(walk(t, scan.Options{Root: root})), []string{"a.log", "sub/b.log", "sub/c.md", "sub/only-root"})
}

// An ignore file that is no regular file is none, and nobody waits for its writer (W20).
func TestIgnoreFileThatIsNone(t *testing.T) {
	root := tree(t, map[string]string{"a.md": "", "d/.gitignore/x": "", "d/b.md": ""})
	if err := syscall.Mkfifo(filepath.Join(root, ".gitignore"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.md", filepath.Join(root, ".cleaveignore")); err != nil {
		t.Fatal(err)
	}
	equal(t, "files", paths(walk(t, scan.Options{Root: root})), []string{"a.md", "d/b.md"})
}

// What too large an ignore file would leave out is not known: its folder is carried, not listed without it.
func TestIgnoreFileTooLarge(t *testing.T) {
	root := tree(t, map[string]string{"a.md": "", "d/.gitignore": strings.Repeat("#\n", 600_000), "d/b.md": "", "e.md": ""})
	l := walk(t, scan.Options{Root: root})
	equal(t, "files", paths(l), []string{"a.md", "e.md"})
	if len(l.Carried) != 1 || l.Carried[0].Dir != "d/" {
		t.Errorf("carried: %v", l.Carried)
	}
}

// Names alone can make a path longer than the kernel takes in one piece, and a tree deeper than a walk may hold open.
func TestDeepTree(t *testing.T) {
	const depth, name = 1000, "directory"
	root := t.TempDir()
	dir, err := os.OpenRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	path := ""
	for range depth {
		for _, file := range []string{"a", "z"} { // one before, one after what is below
			if err := dir.WriteFile(file, nil, 0o644); err != nil {
				t.Fatal(err)
			}
			want = append(want, path+file)
		}
		if err := dir.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
		next, err := dir.OpenRoot(name)
		if err != nil {
			t.Fatal(err)
		}
		dir.Close()
		dir, path = next, path+name+"/"
	}
	dir.Close()
	slices.Sort(want)
	r, err := scan.OpenRoot(scan.Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	l, err := r.Walk(context.Background(), scan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "files", paths(l), want)
	if _, _, err := r.Read(want[len(want)/2], 1); err != nil {
		t.Errorf("read at depth: %v", err)
	}
}

func TestCancelledWalkIsAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if l, err := scan.Walk(ctx, scan.Options{Root: t.TempDir()}); !errors.Is(err, context.Canceled) || l != nil {
		t.Errorf("Walk = %v, %v", l, err)
	}
}

func TestRead(t *testing.T) {
	root := tree(t, map[string]string{"d/f": "hello", "empty": ""})
	if err := os.Symlink("d", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("d/f", filepath.Join(root, "file-link")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(root, "fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	o := scan.Options{Root: root}
	listed := walk(t, o).Files
	r, err := scan.OpenRoot(o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, f := range listed {
		data, got, err := r.Read(f.Path, 5)
		if err != nil || int64(len(data)) != f.Size {
			t.Errorf("Read(%q) = %q, %v", f.Path, data, err)
		}
		equal(t, f.Path, got, f)
	}
	for path, want := range map[string]scan.Reason{"d/f": scan.TooLarge, "fifo": scan.FIFO, "file-link": scan.Symlink} {
		_, _, err := r.Read(path, 4)
		if e, ok := errors.AsType[*scan.LeftOutError](err); !ok || e.Reason != want || e.Path != path {
			t.Errorf("Read(%q): %v, want %s", path, err, want)
		}
	}
	for _, path := range []string{"link/f", "d", "d/f/x"} {
		if _, _, err := r.Read(path, 9); !errors.Is(err, scan.ErrChanged) {
			t.Errorf("Read(%q): %v, want ErrChanged", path, err)
		}
	}
	if _, _, err := r.Read("d/g", 9); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read of a file that is gone: %v", err)
	}
	for _, path := range []string{"", "/d/f", "d/../d/f", "d//f", "./d/f", "../x"} {
		if _, _, err := r.Read(path, 9); err == nil {
			t.Errorf("Read(%q) is no error", path)
		}
	}
}

// A file of a tebibyte that holds nothing costs nothing (W23).
func TestReadSparse(t *testing.T) {
	root := tree(t, map[string]string{"sparse": ""})
	if err := os.Truncate(filepath.Join(root, "sparse"), 1<<40); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
	r, err := scan.OpenRoot(scan.Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_, _, err = r.Read("sparse", 64<<20)
	if e, ok := errors.AsType[*scan.LeftOutError](err); !ok || e.Reason != scan.TooLarge {
		t.Errorf("Read: %v", err)
	}
}
