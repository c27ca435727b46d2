package ingest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/scan"
)

// Roots remembers which directory each source's root was, one small file for each source in a folder of the state
// directory. Without it an empty mount point would look like a tree from which everything was deleted (C1).
type Roots struct{ dir string }

// OpenRoots uses dir, which is made where it is missing.
func OpenRoots(dir string) (*Roots, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("root identities: %w", err)
	}
	return &Roots{dir: dir}, nil
}

// Known is the identity that source's root had, nil where the source was never scanned.
func (r *Roots) Known(source object.Source) (*scan.RootID, error) {
	data, err := os.ReadFile(r.file(source))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("root identity of %s: %w", source, err)
	}
	id, err := scan.ParseRootID(strings.TrimSpace(string(data)))
	if err != nil {
		return nil, fmt.Errorf("root identity of %s in %s: %w (if the root is the right one, remove that file)", source, r.file(source), err)
	}
	return &id, nil
}

// Remember keeps id for source; it is durable when Remember returns.
func (r *Roots) Remember(source object.Source, id scan.RootID) error {
	known, err := r.Known(source)
	if err == nil && known != nil && known.Same(id) {
		return nil
	}
	if err := replaceFile(r.file(source), []byte(id.String()+"\n")); err != nil {
		return fmt.Errorf("root identity of %s: %w", source, err)
	}
	return nil
}

func (r *Roots) file(source object.Source) string { return filepath.Join(r.dir, string(source)) }

// replaceFile puts data in path's place in one step that survives a power cut: the new file is synced before it takes
// the name, the folder after.
func replaceFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already where the rename was reached
	_, err = f.Write(data)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
