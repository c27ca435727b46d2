package scan

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Root is an open root directory. Its methods may be called from several goroutines at once.
type Root struct {
	path string
	dir  *os.File
	id   RootID
	sys  calls
}

// OpenRoot opens the root o names and checks that it is the one that o.RootID says. The error is a *RootError.
func OpenRoot(o Options) (*Root, error) {
	fd, err := openRootDir(o.Root)
	if err != nil {
		return nil, err
	}
	r := &Root{path: o.Root, dir: os.NewFile(uintptr(fd), o.Root), sys: kernel{}}
	if r.id, err = identify(fd); err != nil {
		r.Close()
		return nil, &RootError{Path: o.Root, State: RootFailing, Err: err}
	}
	if o.RootID != nil && !o.AcceptRoot && !o.RootID.Same(r.id) {
		r.Close()
		return nil, &RootError{Path: o.Root, State: RootReplaced, Want: *o.RootID, Have: r.id}
	}
	return r, nil
}

// ID is what the root is now.
func (r *Root) ID() RootID { return r.id }

// Close lets go of the directory. A walk or a read must not be under way.
func (r *Root) Close() error { return r.dir.Close() }

func (r *Root) fd() int { return int(r.dir.Fd()) }

// stillThere checks that the root's path leads to the directory that was walked. Otherwise what was listed may be
// what somebody was about to remove.
func (r *Root) stillThere() error {
	fd, err := openRootDir(r.path)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	id, err := identify(fd)
	if err != nil {
		return &RootError{Path: r.path, State: RootFailing, Err: err}
	}
	if !r.id.Same(id) {
		return &RootError{Path: r.path, State: RootReplaced, Want: r.id, Have: id}
	}
	return nil
}

// openRootDir opens path, which may be a link, and says in a RootError what kept it from doing so.
func openRootDir(path string) (int, error) {
	var fd int
	err := retry(func() (err error) {
		fd, err = unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		return err
	})
	if err == nil {
		return fd, nil
	}
	return -1, &RootError{Path: path, State: rootState(path, err), Err: err}
}

func rootState(path string, err error) RootState {
	switch {
	case errors.Is(err, unix.ENOENT):
		return RootGone
	case errors.Is(err, unix.ENOTDIR):
		if _, statErr := os.Stat(path); statErr == nil {
			return RootNotDirectory
		}
		return RootGone // one of the folders above it is none
	case isPermission(err):
		return RootUnreadable
	}
	return RootFailing
}

// RootState is what is wrong with a root.
type RootState string

const (
	RootGone         RootState = "gone"
	RootReplaced     RootState = "replaced"
	RootNotDirectory RootState = "not a directory"
	RootUnreadable   RootState = "unreadable"
	RootFailing      RootState = "failing"
)

// RootError says that there is no root to take a listing from. Nothing may be published or deleted on it.
type RootError struct {
	Path       string
	State      RootState
	Want, Have RootID // of RootReplaced
	Err        error  // nil for RootReplaced
}

func (e *RootError) Error() string {
	why := ""
	if e.Err != nil {
		why = ": " + e.Err.Error()
	}
	return fmt.Sprintf("root %q: %s%s (%s)", e.Path, e.State, why, e.advice())
}

// advice is what to do about it.
func (e *RootError) advice() string {
	switch e.State {
	case RootReplaced:
		return "it is not the directory of the last scan: nothing was removed; if that is meant, scan with --accept-root"
	case RootUnreadable:
		return "nothing was removed; let the daemon's user read it"
	case RootFailing:
		return "nothing was removed; the scan is tried again"
	}
	return "nothing was removed; bring it back, or take the source out of the configuration"
}

func (e *RootError) Unwrap() error { return e.Err }
