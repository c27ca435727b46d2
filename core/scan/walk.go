package scan

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Walk opens the root o names, walks it and closes it.
func Walk(ctx context.Context, o Options) (*Listing, error) {
	r, err := OpenRoot(o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.Walk(ctx, o)
}

// Walk lists what is beneath the root by the rules of o. The error is a *RootError where the root itself is at fault.
func (r *Root) Walk(ctx context.Context, o Options) (*Listing, error) {
	w := &walker{
		options: o,
		root:    r,
		sys:     r.sys,
		listing: &Listing{Root: r.id},
		buf:     make([]byte, listBuffer),
	}
	defer w.closeAll()
	if err := w.walk(ctx); err != nil {
		return nil, err
	}
	if err := r.stillThere(); err != nil {
		return nil, err
	}
	w.sort()
	return w.listing, nil
}

const (
	// listBuffer holds the entries of most directories, so that most take two calls: the entries and the end.
	listBuffer = 64 << 10
	// maxOpen bounds the descriptors of a walk, however deep the tree: the customary soft limit for a process is 1024.
	maxOpen = 64
	// maxTries is how often an entry that is something else at every look is looked at. Thin air; it takes a race lost
	// as often within one walk.
	maxTries = 8
)

// walker is one walk. It is depth first and keeps its own stack, so that depth costs no call frames.
type walker struct {
	options Options
	root    *Root
	sys     calls
	listing *Listing
	stack   []*folder // from the root to the folder being walked
	buf     []byte
	st      unix.Stat_t
}

// unreadable says that a folder cannot be listed for want of permission: it is carried.
type unreadable struct{ err error }

func (e *unreadable) Error() string { return e.err.Error() }

func (w *walker) walk(ctx context.Context) error {
	if err := w.enterRoot(); err != nil {
		return err
	}
	for len(w.stack) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := w.stack[len(w.stack)-1]
		if f.next == len(f.entries) {
			w.leave()
			continue
		}
		e := f.entries[f.next]
		f.next++
		err := w.visit(f, e)
		if u, ok := errors.AsType[*unreadable](err); ok {
			err = w.carry(u.err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) enterRoot() error {
	fd, err := w.sys.open(w.root.fd(), ".", openDir)
	if err = asUnreadable(err); err == nil {
		err = w.enter("", fd)
	}
	if err == nil {
		return nil
	}
	state := RootFailing
	if u, ok := errors.AsType[*unreadable](err); ok {
		state, err = RootUnreadable, u.err
	}
	return &RootError{Path: w.root.path, State: state, Err: err}
}

// visit puts one entry of the folder on top of the stack where it belongs.
func (w *walker) visit(f *folder, e entry) error {
	path := f.path + e.name
	for range maxTries {
		if reason := w.leaveOut(path, e); reason != "" {
			w.leftOut(path, e.kind, reason)
			return nil
		}
		look := w.file
		if e.kind == kindDir {
			look = w.descend
		}
		now, err := look(f, path, e.name)
		if err != nil || now == kindUnknown {
			return err
		}
		e.kind = now // it is something else by now: other rules may hold
	}
	return fmt.Errorf("walk %q: it was another kind of file at each of %d looks", path, maxTries)
}

// file takes a regular file. It returns the kind of what is there, where that is no regular file any more.
func (w *walker) file(f *folder, path, name string) (kind, error) {
	if !w.included(path) {
		w.leftOut(path, kindFile, NotIncluded)
		return kindUnknown, nil
	}
	now, err := w.lookAt(f, path, name)
	if err != nil || now != kindFile {
		return now, err
	}
	if w.options.MaxSize > 0 && w.st.Size > w.options.MaxSize {
		w.leftOut(path, kindFile, TooLarge)
		return kindUnknown, nil
	}
	w.listing.Files = append(w.listing.Files, newFile(path, &w.st))
	return kindUnknown, nil
}

// lookAt describes name in w.st and returns its kind; kindUnknown says that it is gone.
func (w *walker) lookAt(f *folder, path, name string) (kind, error) {
	fd, err := w.dirFD(f)
	if err != nil {
		return kindUnknown, err
	}
	switch err := w.sys.lstat(fd, name, &w.st); {
	case err == nil:
		return kindOf(w.st.Mode), nil
	case errors.Is(err, unix.ENOENT):
		return kindUnknown, nil // absent, in a directory that was read
	case isPermission(err):
		return kindUnknown, &unreadable{fmt.Errorf("stat %q: %w", path, err)}
	default:
		return kindUnknown, fmt.Errorf("stat %q: %w", path, err)
	}
}

// descend enters the directory name. It returns the kind of what is there now, where that is not what was entered.
func (w *walker) descend(f *folder, path, name string) (kind, error) {
	parent, err := w.dirFD(f)
	if err != nil {
		return kindUnknown, err
	}
	fd, err := w.sys.open(parent, name, openDir)
	if err == nil {
		err = w.enter(path+"/", fd)
	}
	if err == nil {
		return kindUnknown, nil
	}
	if isOther(err) { // only its parent can tell whether it is gone
		return w.lookAt(f, path, name)
	}
	u, ok := errors.AsType[*unreadable](err)
	switch {
	case ok:
		err = fmt.Errorf("read %q: %w", path+"/", u.err)
	case isPermission(err):
		err = fmt.Errorf("open %q: %w", path+"/", err)
	default:
		return kindUnknown, fmt.Errorf("open %q: %w", path+"/", err)
	}
	w.listing.Carried = append(w.listing.Carried, Carried{Dir: path + "/", Err: err})
	return kindUnknown, nil
}

// carry gives up the folder on top of the stack, of which a part may be listed already: it is carried as a whole.
func (w *walker) carry(err error) error {
	f := w.stack[len(w.stack)-1]
	if len(w.stack) == 1 {
		return &RootError{Path: w.root.path, State: RootUnreadable, Err: err}
	}
	w.listing.Files = w.listing.Files[:f.before.files]
	w.listing.LeftOut = w.listing.LeftOut[:f.before.leftOut]
	w.listing.Carried = append(w.listing.Carried[:f.before.carried], Carried{Dir: f.path, Err: fmt.Errorf("read %q: %w", f.path, err)})
	w.listing.Dirs = f.before.dirs
	w.leave()
	return nil
}

func (w *walker) leftOut(path string, k kind, reason Reason) {
	if k == kindDir {
		path += "/"
	}
	w.listing.LeftOut = append(w.listing.LeftOut, LeftOut{Path: path, Reason: reason})
}

// sort mends the order where an entry became another kind during the walk; it is right already in all other cases.
func (w *walker) sort() {
	byPath := func(a, b File) int { return strings.Compare(a.Path, b.Path) }
	if !slices.IsSortedFunc(w.listing.Files, byPath) {
		slices.SortFunc(w.listing.Files, byPath)
	}
}
