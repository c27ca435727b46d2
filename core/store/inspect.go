package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/ristretto/v2/z"
)

const (
	badgerDir = "badger"
	asideDir  = "aside"
)

// inspect looks at Badger's files before Badger does, which dies in a goroutine of its own on a damaged table, and
// removes the tables that its manifest does not list. After a crash those are garbage, but they are all there is when
// the manifest was lost or cut, and then Badger opens without an error as an empty store: they are linked into
// DIR/aside. A manifest that is gone is refused at once if the store has been used.
func inspect(dir string, used bool, opts badger.Options) error {
	f, err := os.Open(filepath.Join(dir, badgerDir, badger.ManifestFilename))
	if errors.Is(err, fs.ErrNotExist) {
		if !used {
			return nil
		}
		return &ReplacedError{Dir: dir, Why: "badger/" + badger.ManifestFilename + " is missing"}
	}
	if err != nil {
		return fmt.Errorf("open the manifest: %w", err)
	}
	defer f.Close() // opened for reading
	manifest, _, err := badger.ReplayManifestFile(f, 0, opts)
	if err != nil {
		return &ReplacedError{Dir: dir, Why: "badger/" + badger.ManifestFilename + ": " + shortCause(err)}
	}
	tables, err := filepath.Glob(filepath.Join(dir, badgerDir, "*.sst"))
	if err != nil {
		return fmt.Errorf("list tables: %w", err)
	}
	for _, t := range tables {
		id, ok := table.ParseFileID(filepath.Base(t))
		if _, listed := manifest.Tables[id]; ok && listed {
			err = tryTable(t)
		} else {
			err = linkInto(filepath.Join(dir, asideDir), t)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tryTable opens a table as Badger will, and closes it again. What Badger panics about is a *DamageError here.
func tryTable(name string) (err error) {
	defer func() {
		if recover() != nil { // what it says is a dump of many lines
			err = &DamageError{Key: name, Why: "the table's index cannot be read"}
		}
	}()
	f, err := z.OpenMmapFile(name, os.O_RDWR, 0)
	if err != nil {
		return &DamageError{Key: name, Why: shortCause(err)}
	}
	t, err := table.OpenTable(f, table.Options{BlockSize: blockSize})
	if err != nil {
		return &DamageError{Key: name, Why: shortCause(err)}
	}
	return t.Close(-1) // -1: as long as it is
}

func linkInto(dir, file string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("set a table aside: %w", err)
	}
	err := os.Link(file, filepath.Join(dir, filepath.Base(file)))
	if err != nil && !errors.Is(err, fs.ErrExist) { // from an earlier start: the same table
		return fmt.Errorf("set a table aside: %w", err)
	}
	return nil
}

// dropAside removes what was set aside, once the store has shown to be whole.
func dropAside(dir string) error {
	return os.RemoveAll(filepath.Join(dir, asideDir))
}
