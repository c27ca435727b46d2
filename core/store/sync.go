package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// syncAll makes everything durable whose write has returned.
//
// The logs of memtables are synced here by their names: what was written before is in a log that is listed, or in a
// table, which Badger syncs together with its manifest before it removes the log. The directory is synced last, for the
// names of logs and tables that have come into being; Badger does not sync it when it makes a log.
//
// Badger's own Sync is not called. It leaves out the logs of memtables that are full but not yet in a table, syncs the
// active log, which is among those listed, and the value log, which no value ever goes to (partSize); each of its two
// syncs costs a flush of the disk's cache, whether there is something to write or not.
func (s *Store) syncAll() error {
	dir := filepath.Join(s.dir, badgerDir)
	logs, err := filepath.Glob(filepath.Join(dir, "*.mem"))
	if err != nil {
		return fmt.Errorf("list logs: %w", err)
	}
	for _, log := range logs {
		if err := syncFile(log); err != nil && !errors.Is(err, fs.ErrNotExist) { // gone: it is a table now
			return fmt.Errorf("sync a log: %w", err)
		}
	}
	return syncDir(dir)
}

// syncFile syncs what any descriptor or map has written to a file.
func syncFile(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// syncDir syncs the names in a directory.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
