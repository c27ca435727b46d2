package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// lock is a flock on DIR/lock: the kernel frees it when the process ends, however it ends. Badger's own lock names
// neither the holder nor the problem.
type lock struct{ f *os.File }

func acquire(dir string) (*lock, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the store's lock: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		pid := holder(f)
		f.Close() // nothing was written through it
		return nil, &OccupiedError{Dir: dir, PID: pid}
	}
	if err == nil {
		err = writePID(f)
	}
	if err != nil {
		f.Close() // the error that counts is err
		return nil, fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	return &lock{f}, nil
}

func writePID(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

// holder is the process ID in a lock file, 0 if there is none.
func holder(f *os.File) int {
	b := make([]byte, 32)
	n, _ := f.ReadAt(b, 0) // io.EOF is usual; without a number the message just does not say who
	pid, err := strconv.Atoi(strings.TrimSpace(string(b[:n])))
	if err != nil {
		return 0
	}
	return pid
}

// inPlace tells whether the directory still holds this lock. It does not after the directory has been moved away or
// removed under a running process, when another process may lock the new one.
func (l *lock) inPlace() error {
	mine, err := l.f.Stat()
	if err != nil {
		return err
	}
	there, err := os.Stat(l.f.Name())
	if err != nil {
		return fmt.Errorf("the state directory has been moved or removed: %w", err)
	}
	if !os.SameFile(mine, there) {
		return fmt.Errorf("the state directory has been replaced: %s is another file now", l.f.Name())
	}
	return nil
}

func (l *lock) release() error { return l.f.Close() }
