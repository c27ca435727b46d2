package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/table"
)

const (
	badgerDir = "badger"
	asideDir  = "aside"
)

// setAside links every table that Badger's manifest does not list into DIR/aside. Badger removes such tables when it
// opens. After a crash they are garbage, but they are all there is when the manifest was lost or cut, and then Badger
// opens without an error as an empty store. A manifest that is gone is refused at once.
func setAside(dir string, opts badger.Options) error {
	tables, err := filepath.Glob(filepath.Join(dir, badgerDir, "*.sst"))
	if err != nil {
		return fmt.Errorf("list tables: %w", err)
	}
	f, err := os.Open(filepath.Join(dir, badgerDir, badger.ManifestFilename))
	if errors.Is(err, fs.ErrNotExist) {
		return &ReplacedError{Dir: dir, Why: "badger/" + badger.ManifestFilename + " is missing"}
	}
	if err != nil {
		return fmt.Errorf("open the manifest: %w", err)
	}
	defer f.Close() // opened for reading
	manifest, _, err := badger.ReplayManifestFile(f, 0, opts)
	if err != nil {
		return &ReplacedError{Dir: dir, Why: "badger/" + badger.ManifestFilename + ": " + err.Error()}
	}
	for _, t := range tables {
		id, ok := table.ParseFileID(filepath.Base(t))
		if _, listed := manifest.Tables[id]; !ok || listed {
			continue
		}
		if err := linkInto(filepath.Join(dir, asideDir), t); err != nil {
			return fmt.Errorf("set a table aside: %w", err)
		}
	}
	return nil
}

func linkInto(dir, file string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	err := os.Link(file, filepath.Join(dir, filepath.Base(file)))
	if errors.Is(err, fs.ErrExist) { // from an earlier start: the same table
		return nil
	}
	return err
}

// dropAside removes what was set aside, once the store has shown to be whole.
func dropAside(dir string) error {
	return os.RemoveAll(filepath.Join(dir, asideDir))
}
