package scan

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cleave-project/cleave/core/ignore"
	"golang.org/x/sys/unix"
)

// folder is a directory on the walk's stack.
type folder struct {
	path     string // "" for the root, else ending in a slash
	fd       int    // -1 while it is closed to save descriptors
	dev, ino uint64
	entries  []entry // all of them, in the order of the paths beneath
	next     int     // the next one to visit
	ignores  []ignore.Rules
	before   marks
}

// marks is how long the listing's parts were before the folder.
type marks struct{ files, leftOut, carried, dirs int }

type entry struct {
	name string
	kind kind
}

// enter puts the open directory fd on the stack with all its entries, or closes it. A directory that is on the stack
// already is left out: it is mounted inside itself.
func (w *walker) enter(path string, fd int) error {
	f := &folder{path: path, fd: fd, before: w.marks()}
	if err := w.load(f); err != nil {
		unix.Close(fd)
		return err
	}
	if slices.ContainsFunc(w.stack, func(o *folder) bool { return o.dev == f.dev && o.ino == f.ino }) {
		unix.Close(fd)
		w.leftOut(strings.TrimSuffix(path, "/"), kindDir, Loop)
		return nil
	}
	w.stack = append(w.stack, f)
	w.listing.Dirs++
	if open := len(w.stack) - maxOpen; open > 0 {
		w.stack[open].close() // never the root, which is at 0
	}
	return nil
}

func (w *walker) marks() marks {
	l := w.listing
	return marks{files: len(l.Files), leftOut: len(l.LeftOut), carried: len(l.Carried), dirs: l.Dirs}
}

// load reads what there is to know of the open folder f.
func (w *walker) load(f *folder) error {
	if err := w.sys.fstat(f.fd, &w.st); err != nil {
		return asUnreadable(fmt.Errorf("stat: %w", err))
	}
	f.dev, f.ino = uint64(w.st.Dev), w.st.Ino
	if err := w.readEntries(f); err != nil {
		return asUnreadable(err)
	}
	return asUnreadable(w.readIgnores(f))
}

func asUnreadable(err error) error {
	if isPermission(err) {
		return &unreadable{err}
	}
	return err
}

// readEntries reads the names and kinds in f. All names of a folder share one string.
func (w *walker) readEntries(f *folder) error {
	var names []byte
	var kinds []kind
	for {
		n, err := w.sys.list(f.fd, w.buf)
		if err != nil {
			return fmt.Errorf("list: %w", err)
		}
		if n == 0 {
			break
		}
		for rest := w.buf[:n]; len(rest) > 0; {
			var e []byte
			e, rest = nextEntry(rest)
			k, name := kind(e[direntKind]), cString(e[direntName:])
			if s := string(name); s == "." || s == ".." {
				continue
			}
			names = append(append(names, name...), 0)
			kinds = append(kinds, k)
		}
	}
	f.entries = make([]entry, 0, len(kinds))
	all := string(names)
	for _, k := range kinds {
		var name string
		name, all, _ = strings.Cut(all, "\x00")
		f.entries = append(f.entries, entry{name: name, kind: k})
	}
	if err := w.learnKinds(f); err != nil {
		return err
	}
	slices.SortFunc(f.entries, entry.compare)
	return nil
}

// The layout of struct linux_dirent64, in bytes.
const (
	direntLength = 16
	direntKind   = 18
	direntName   = 19
)

// nextEntry splits the first record off what getdents wrote.
func nextEntry(buf []byte) (e, rest []byte) {
	n := binary.NativeEndian.Uint16(buf[direntLength:])
	return buf[:n], buf[n:]
}

func cString(b []byte) []byte { return b[:bytes.IndexByte(b, 0)] }

// learnKinds asks for the kinds that the file system does not keep in its directories.
func (w *walker) learnKinds(f *folder) error {
	gone := false
	for i := range f.entries {
		e := &f.entries[i]
		if e.kind != kindUnknown {
			continue
		}
		switch err := w.sys.lstat(f.fd, e.name, &w.st); {
		case err == nil:
			e.kind = kindOf(w.st.Mode)
		case errors.Is(err, unix.ENOENT):
			gone = true
		default:
			return fmt.Errorf("stat %q: %w", e.name, err)
		}
	}
	if gone {
		f.entries = slices.DeleteFunc(f.entries, func(e entry) bool { return e.kind == kindUnknown })
	}
	return nil
}

// compare orders entries as the paths beneath them are ordered: a directory counts with its slash.
func (e entry) compare(o entry) int {
	n := min(len(e.name), len(o.name))
	if c := strings.Compare(e.name[:n], o.name[:n]); c != 0 {
		return c
	}
	return e.byteAt(n) - o.byteAt(n)
}

func (e entry) byteAt(i int) int {
	switch {
	case i < len(e.name):
		return int(e.name[i])
	case e.kind == kindDir:
		return '/'
	}
	return -1
}

// leave takes the folder on top off the stack.
func (w *walker) leave() {
	last := len(w.stack) - 1
	w.stack[last].close()
	w.stack[last] = nil
	w.stack = w.stack[:last]
}

func (w *walker) closeAll() {
	for _, f := range w.stack {
		f.close()
	}
}

func (f *folder) close() {
	if f.fd >= 0 {
		unix.Close(f.fd)
		f.fd = -1
	}
}

// keepAgain is how many folders that were opened again stay open: with the folders below them long left, they are the
// next to be needed, and a deep tree would else be opened from the top at every step up.
const keepAgain = maxOpen / 2

// dirFD is the descriptor of f, which is on the stack; one that was closed is opened again, name by name from the
// nearest folder above that is open. If that leads elsewhere, the tree was moved under the walk, which then knows too
// little.
func (w *walker) dirFD(f *folder) (int, error) {
	if f.fd >= 0 {
		return f.fd, nil
	}
	to := slices.Index(w.stack, f)
	from := to
	for w.stack[from].fd < 0 {
		from--
	}
	for i := from + 1; i <= to; i++ {
		if err := w.reopen(w.stack[i-1], w.stack[i]); err != nil {
			return -1, err
		}
		if i-1 != from && i-1 <= to-keepAgain {
			w.stack[i-1].close()
		}
	}
	return f.fd, nil
}

// reopen opens f in parent, which is open.
func (w *walker) reopen(parent, f *folder) error {
	fd, err := w.sys.open(parent.fd, strings.TrimSuffix(f.path[len(parent.path):], "/"), openDir)
	if err != nil {
		return fmt.Errorf("open %q again: %w", f.path, err)
	}
	var st unix.Stat_t // not w.st, which may describe an entry
	if err := w.sys.fstat(fd, &st); err != nil || uint64(st.Dev) != f.dev || st.Ino != f.ino {
		unix.Close(fd)
		return errors.Join(fmt.Errorf("open %q again: it is another directory now", f.path), err)
	}
	f.fd = fd
	return nil
}
