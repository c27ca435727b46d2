package scan

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sys/unix"
)

// ErrChanged says that a file was written, or its path led elsewhere, at every attempt to read it.
var ErrChanged = errors.New("changed while it was read")

// LeftOutError says that what is at a path now is no file to read.
type LeftOutError struct{ LeftOut }

func (e *LeftOutError) Error() string { return fmt.Sprintf("read %q: %s", e.Path, e.Reason) }

// readTries is how often a file that changes is read within one scan. Thin air: a log that is written all the time
// shall not hold up the rest (W19).
const readTries = 3

// Read returns the bytes of the file at path, which are those of one moment, and what it is now: size, times and
// inode were the same before and after. A file above limit (bytes) is a *LeftOutError before any of it is read (W23), as
// is anything that is no regular file. Errors of the system are wrapped: fs.ErrNotExist where the file is gone,
// fs.ErrPermission where it may not be read. Take the time to remember with the File (see Same) before the call.
func (r *Root) Read(path string, limit int64) ([]byte, File, error) {
	for range readTries {
		data, file, err := r.readOnce(path, limit)
		if !errors.Is(err, ErrChanged) {
			return data, file, err
		}
	}
	return nil, File{}, fmt.Errorf("read %q: %w", path, ErrChanged)
}

func (r *Root) readOnce(path string, limit int64) ([]byte, File, error) {
	fd, err := r.open(path)
	if err != nil {
		return nil, File{}, err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := r.sys.fstat(fd, &st); err != nil {
		return nil, File{}, fmt.Errorf("stat %q: %w", path, err)
	}
	if k := kindOf(st.Mode); k != kindFile {
		return nil, File{}, leftOutError(path, k)
	}
	before := newFile(path, &st)
	if before.Size > limit {
		return nil, File{}, &LeftOutError{LeftOut{Path: path, Reason: TooLarge}}
	}
	data, err := readAll(r.sys, fd, before.Size)
	if err != nil {
		return nil, File{}, fmt.Errorf("read %q: %w", path, err)
	}
	if err := r.sys.fstat(fd, &st); err != nil {
		return nil, File{}, fmt.Errorf("stat %q: %w", path, err)
	}
	after := newFile(path, &st)
	if after.Stat() != before.Stat() || int64(len(data)) != after.Size {
		return nil, File{}, ErrChanged
	}
	return data, after, nil
}

// open opens the file at path name by name from the root.
func (r *Root) open(path string) (int, error) {
	dir, rest := r.fd(), path
	for {
		name, after, more := strings.Cut(rest, "/")
		if name == "" || name == "." || name == ".." {
			return -1, fmt.Errorf("read %q: not a path in a listing", path)
		}
		if !more {
			fd, err := r.openLast(dir, name, path)
			r.closePassed(dir)
			return fd, err
		}
		fd, err := r.sys.open(dir, name, openPass)
		r.closePassed(dir)
		switch {
		case errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP):
			return -1, ErrChanged // a folder of the listing became a file or a link
		case err != nil:
			return -1, fmt.Errorf("read %q: %w", path, err)
		}
		dir, rest = fd, after
	}
}

func (r *Root) closePassed(fd int) {
	if fd != r.fd() {
		unix.Close(fd)
	}
}

// openLast looks before it opens, since to open a device can mean to do something with it. What is swapped in after
// the look is found by the look at what was opened.
func (r *Root) openLast(dir int, name, path string) (int, error) {
	var st unix.Stat_t
	if err := r.sys.lstat(dir, name, &st); err != nil {
		return -1, fmt.Errorf("read %q: %w", path, err)
	}
	if k := kindOf(st.Mode); k != kindFile {
		return -1, leftOutError(path, k)
	}
	fd, err := r.sys.open(dir, name, openFile)
	switch {
	case err == nil:
		return fd, nil
	case errors.Is(err, unix.ELOOP) || errors.Is(err, unix.ENXIO): // a link or a socket since the look
		return -1, ErrChanged
	}
	return -1, fmt.Errorf("read %q: %w", path, err)
}

// leftOutError is what Read says of a kind it does not read; a directory in a file's place is a change of the tree.
func leftOutError(path string, k kind) error {
	if k == kindDir {
		return ErrChanged
	}
	return &LeftOutError{LeftOut{Path: path, Reason: k.reason()}}
}

// readAll reads fd to its end, but at most size+1 bytes: one more than expected says that the file has grown.
func readAll(sys calls, fd int, size int64) ([]byte, error) {
	data := make([]byte, 0, size+1)
	for len(data) < cap(data) {
		n, err := sys.read(fd, data[len(data):cap(data)])
		if err != nil {
			return nil, err
		}
		if n == 0 {
			break
		}
		data = data[:len(data)+n]
	}
	return data, nil
}
