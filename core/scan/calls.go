package scan

import (
	"errors"

	"golang.org/x/sys/unix"
)

// calls are the system calls that a walk and a read are made of. There are two: the kernel, and in tests a kernel that
// fails at a chosen call or does something first.
type calls interface {
	// open opens the one name in the directory dir, never through a link.
	open(dir int, name string, flags int) (fd int, err error)
	// list reads entries of the directory fd into buf; 0 at the end.
	list(fd int, buf []byte) (int, error)
	// lstat describes the one name in the directory dir.
	lstat(dir int, name string, st *unix.Stat_t) error
	// fstat describes the open fd.
	fstat(fd int, st *unix.Stat_t) error
	// read reads from the open file fd; 0 at the end.
	read(fd int, buf []byte) (int, error)
}

const (
	openDir = unix.O_RDONLY | unix.O_DIRECTORY
	// openPass is for directories on the way: they need be searched, not read.
	openPass = unix.O_PATH | unix.O_DIRECTORY
	// openFile does not wait for the writer of a fifo and takes no terminal (W20).
	openFile = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOCTTY
)

type kernel struct{}

var _ calls = kernel{}

func (kernel) open(dir int, name string, flags int) (fd int, err error) {
	err = retry(func() error {
		fd, err = unix.Openat(dir, name, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		return err
	})
	return fd, err
}

func (kernel) list(fd int, buf []byte) (n int, err error) {
	err = retry(func() error { n, err = unix.Getdents(fd, buf); return err })
	return n, err
}

func (kernel) lstat(dir int, name string, st *unix.Stat_t) error {
	return retry(func() error { return unix.Fstatat(dir, name, st, unix.AT_SYMLINK_NOFOLLOW) })
}

func (kernel) fstat(fd int, st *unix.Stat_t) error {
	return retry(func() error { return unix.Fstat(fd, st) })
}

func (kernel) read(fd int, buf []byte) (n int, err error) {
	err = retry(func() error { n, err = unix.Read(fd, buf); return err })
	return n, err
}

// retry repeats a call that a signal broke off: the runtime's own signals do that on some file systems.
func retry(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

func isPermission(err error) bool {
	return errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM)
}

// isOther tells that a name does not stand for what it did when it was listed: it is gone, or something else.
func isOther(err error) bool {
	return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP)
}
