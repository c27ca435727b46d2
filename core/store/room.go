package store

import (
	"fmt"
	"syscall"
)

// room is a *FullError if the file system has less than the reserve left. Badger writes through memory maps, so on a
// full file system it does not get an error but dies of SIGBUS, and again at every start.
func room(dir string, reserve int64) error {
	if reserve < 0 {
		return nil
	}
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return fmt.Errorf("free space of %s: %w", dir, err)
	}
	if free := int64(st.Bavail) * st.Bsize; free < reserve {
		return &FullError{Dir: dir, Free: free, Need: reserve}
	}
	return nil
}
