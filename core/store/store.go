package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/dgraph-io/badger/v4"

	"github.com/cleave-project/cleave/core/object"
)

// Store is an open store. Its methods may be called from any number of goroutines.
type Store struct {
	dir   string
	opts  Options
	db    *badger.DB
	lock  *lock
	pages pageCache

	squeezer squeezer

	sync func() error // makes all of Badger durable; tests put a failing one here

	fenced atomic.Pointer[FencedError]

	// commit is held from a head's comparison to its acknowledgement. It is taken before mu.
	commit   sync.Mutex
	identity identity // as it is on disk; guarded by commit

	mu      sync.Mutex // guards what follows; held for no I/O
	heads   map[object.Source]head
	refused map[object.Source]error // sources that are not served, and why; one with a head can be mended
	staging map[object.Source]bool
	pins    map[object.Source]map[uint64]int
	closed  bool
	active  sync.WaitGroup // uses of db; Add only under mu and while not closed
}

// head is a source's newest acknowledged generation and its record's ID.
type head struct {
	generation object.Generation
	id         object.ID
}

// begin announces a use of db, so that Close does not unmap tables under a reader. Each is paired with active.Done.
func (s *Store) begin() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.active.Add(1)
	return nil
}

// view runs f in a read transaction. Badger has been seen to panic on damaged tables; such a panic is an error here.
func (s *Store) view(f func(*badger.Txn) error) (err error) {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.active.Done()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("badger panicked: %v", r)
		}
	}()
	return s.db.View(f)
}

// writable is nil if the store may be written: open, not fenced, in its place, and with room.
func (s *Store) writable() error {
	if f := s.fenced.Load(); f != nil {
		return f
	}
	if err := s.lock.inPlace(); err != nil {
		return s.fence(err)
	}
	return room(s.dir, s.opts.Reserve)
}

// fence stops all writes: after a failed write or sync nobody knows what is on disk, and trying again has been seen
// to succeed without writing.
func (s *Store) fence(cause error) error {
	s.fenced.CompareAndSwap(nil, &FencedError{Cause: cause})
	return s.fenced.Load()
}

// Size is how many bytes the store occupies on disk, in blocks: Badger's files are mapped and look larger than they
// are.
func (s *Store) Size() int64 {
	var size int64
	// A file that vanishes during the walk was compacted away; the sum is an estimate in any case.
	_ = filepath.WalkDir(s.dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			size += st.Blocks * 512 // POSIX: st_blocks counts 512 bytes
		}
		return nil
	})
	return size
}

// Close ends the store. It waits for reads and writes in progress and for Badger, at most for the time in Options.
//
// Badger's close writes: what is in memory goes into a table, by way of a memory map, and on a full file system that
// ends the process with a SIGBUS. So without the reserve Badger is not closed, and the error is a *FullError. Nothing is
// lost: what was acknowledged is in synced logs, which the next Open replays. The files and both locks stay as they are
// until the process ends, so that is all that is left to do with it.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	s.mu.Unlock()

	timeout := s.opts.CloseTimeout
	if timeout == 0 {
		timeout = closeTimeout
	}
	done := make(chan error, 1)
	// This goroutine outlives Close only when Badger hangs; the process is about to end then, and the lock with it.
	go func() {
		s.active.Wait()
		s.squeezer.close()
		done <- s.closeFiles()
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(timeout):
		return fmt.Errorf("close the store in %s: not done after %s", s.dir, timeout)
	}
}

// closeFiles closes Badger and frees the lock, where Badger has room to write.
func (s *Store) closeFiles() error {
	if err := room(s.dir, s.opts.Reserve); err != nil {
		return fmt.Errorf("close the store: left as it is, with all that was acknowledged: %w", err)
	}
	return errors.Join(closeBadger(s.db), s.lock.release())
}

func closeBadger(db *badger.DB) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("close badger: panic: %v", r)
		}
	}()
	if err := db.Close(); err != nil {
		return fmt.Errorf("close badger: %w", err)
	}
	return nil
}
