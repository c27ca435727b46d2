package store

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"github.com/cleave-project/cleave/core/object"
)

// identity is the small file beside Badger that makes an empty or old store different from a first run.
type identity struct {
	Version      int                      `json:"version"`
	Store        string                   `json:"store"` // random name, in Badger under m/store as well
	Acknowledged map[object.Source]uint64 `json:"acknowledged"`
}

// identityVersion: 1 is the three fields above.
const identityVersion = 1

const identityFile = "identity.json"

func newIdentity() identity {
	b := make([]byte, 16)
	rand.Read(b) // never fails, by its documentation
	return identity{Version: identityVersion, Store: hex.EncodeToString(b), Acknowledged: map[object.Source]uint64{}}
}

// readIdentity reads the file; ok is false if there is none.
func readIdentity(dir string) (id identity, ok bool, err error) {
	name := filepath.Join(dir, identityFile)
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return identity{}, false, nil
	}
	if err != nil {
		return identity{}, false, fmt.Errorf("read the store's identity: %w", err)
	}
	if err := json.Unmarshal(b, &id); err != nil || id.Store == "" {
		return identity{}, false, &ReplacedError{Dir: dir, Why: identityFile + " cannot be read"}
	}
	if id.Version != identityVersion {
		return identity{}, false, fmt.Errorf("%s: version %d, this program reads %d", name, id.Version, identityVersion)
	}
	if id.Acknowledged == nil {
		id.Acknowledged = map[object.Source]uint64{}
	}
	return id, true, nil
}

// with is a copy in which number is acknowledged for the source.
func (id identity) with(s object.Source, number uint64) identity {
	id.Acknowledged = maps.Clone(id.Acknowledged)
	id.Acknowledged[s] = number
	return id
}

// write replaces the file so that a crash leaves the old or the new one: the content is on disk before the name
// changes, and the directory is synced so that the change of name is.
func (id identity) write(dir string) error {
	b, err := json.MarshalIndent(id, "", "  ")
	if err != nil {
		return fmt.Errorf("write the store's identity: %w", err)
	}
	name := filepath.Join(dir, identityFile)
	if err := writeSynced(name+".new", append(b, '\n')); err != nil {
		return fmt.Errorf("write the store's identity: %w", err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		return fmt.Errorf("write the store's identity: %w", err)
	}
	return syncDir(dir)
}

func writeSynced(name string, b []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
