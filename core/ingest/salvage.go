package ingest

import (
	"context"
	"errors"
	"fmt"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/scan"
	"github.com/cleave-project/cleave/core/store"
)

// salvage makes the memory of a head that cannot be read: nothing is known, so that every file is read and every object
// that it needs is there again afterwards. What can still be found of the files in the listing is kept for those that
// fail now. Of a directory that could not be read nobody knows any more what was in it, so that nothing may be
// published (I2): then the error is the damage.
func (m *memory) salvage(ctx context.Context, s *store.Store, source object.Source, l *scan.Listing, damage error) error {
	if len(l.Carried) > 0 {
		return fmt.Errorf("%w (it is mended from the files once this is too: %w)", damage, l.Carried[0].Err)
	}
	m.damage = damage
	for path, st := range m.stats {
		m.stats[path] = store.Stat{Plugin: st.Plugin}
	}
	clear(m.entries)
	pin, err := s.Pin(ctx, source, 0)
	if isDamage(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer pin.Release()
	for _, f := range l.Files {
		path := object.Path(f.Path)
		entry, ok, err := pin.Lookup(ctx, path)
		if err == nil && ok && !entry.Doc.IsZero() {
			_, err = pin.Document(ctx, entry.Doc)
		}
		switch {
		case isDamage(err):
		case err != nil:
			return err
		case ok:
			m.entries[path] = entry
		}
	}
	return nil
}

// lost tells whether a file was a document whose entry the damage has taken.
func (m *memory) lost(path object.Path) bool {
	_, had := m.entries[path]
	return m.damage != nil && !had && m.stats[path].Plugin != ""
}

func isDamage(err error) bool {
	var damage *store.DamageError
	return errors.As(err, &damage)
}
