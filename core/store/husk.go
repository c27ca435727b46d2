package store

import (
	"fmt"
	"os"
	"path/filepath"
)

// dropHusks removes Badger's logs of no length. A process killed between making a log and giving it its length leaves
// one, and Badger refuses to open with it. Nothing was ever written to it: syncing a write syncs the length too.
func dropHusks(dir string) error {
	for _, pattern := range []string{"*.vlog", "*.mem"} {
		logs, err := filepath.Glob(filepath.Join(dir, badgerDir, pattern))
		if err != nil {
			return fmt.Errorf("list logs: %w", err)
		}
		for _, log := range logs {
			info, err := os.Stat(log)
			if err == nil && info.Size() == 0 {
				err = os.Remove(log)
			}
			if err != nil {
				return fmt.Errorf("remove an empty log: %w", err)
			}
		}
	}
	return nil
}
