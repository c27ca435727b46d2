package ingest

import (
	"context"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/scan"
	"github.com/cleave-project/cleave/core/store"
)

// memory is what the last run left: the head's entries, and beside them what serves change detection.
type memory struct {
	entries  map[object.Path]object.Entry
	stats    map[object.Path]store.Stat
	failures map[object.Path]store.Failure
	// made finds a record that was made from the same bytes under the same contract, wherever it stands: a rename, a
	// copy or a touched file is not split again (C3).
	made map[recipe]object.Entry
	// damage is why the head could not be read; then entries are what is left of it, and the next generation is made as
	// a whole. nil: it could.
	damage error
}

// recipe is everything a document record depends on.
type recipe struct {
	outline  object.ID // bytes, plugin, media type, language
	contract object.ID // packing
}

// recall reads what the last run left: the stage's parent, so that what is compared is what is built on.
func recall(ctx context.Context, s *store.Store, st *store.Stage, source object.Source, l *scan.Listing) (*memory, error) {
	m := &memory{
		entries:  map[object.Path]object.Entry{},
		stats:    map[object.Path]store.Stat{},
		failures: map[object.Path]store.Failure{},
		made:     map[recipe]object.Entry{},
	}
	if err := m.readRecords(ctx, s, source); err != nil {
		return nil, err
	}
	err := m.readParent(ctx, s, st, source)
	if isDamage(err) {
		err = m.salvage(ctx, s, source, l, err)
	}
	if err != nil {
		return nil, err
	}
	m.distrust()
	m.learn()
	return m, nil
}

// readRecords reads what lies beside the generations.
func (m *memory) readRecords(ctx context.Context, s *store.Store, source object.Source) error {
	for item, err := range s.Stats(ctx, source) {
		if err != nil {
			return err
		}
		m.stats[item.Path] = item.Stat
	}
	failures, err := s.Failures(ctx, source)
	for _, f := range failures {
		m.failures[f.Path] = f.Failure
	}
	return err
}

// readParent reads every entry of the stage's parent, if it has one.
func (m *memory) readParent(ctx context.Context, s *store.Store, st *store.Stage, source object.Source) error {
	parent, ok := st.Parent()
	if !ok {
		return nil
	}
	pin, err := s.Pin(ctx, source, parent.Number)
	if err != nil {
		return err
	}
	defer pin.Release()
	for item, err := range pin.All(ctx) {
		if err != nil {
			return err
		}
		m.entries[item.Path] = item.Entry
	}
	return nil
}

// learn indexes the records that need not be made again.
func (m *memory) learn() {
	for path, entry := range m.entries {
		if st, ok := m.stats[path]; ok && st.Doc == entry.Doc && entry.State == object.StateCurrent {
			m.made[recipe{st.OutlineKey, st.Contract}] = entry
		}
	}
}

// distrust forgets what is recorded of files as they were in another generation than the head: a crash between the
// move of the head and the record leaves that, and would have old bytes taken for the new document. Who split the file
// is kept: while that plugin is down its document waits for it.
func (m *memory) distrust() {
	for path, st := range m.stats {
		if !m.vouched(path, st) {
			m.stats[path] = store.Stat{Plugin: st.Plugin}
		}
	}
}

// vouched tells whether a stat is of the head: its bytes made the document that the head names, or they made none, and
// the failure beside it is theirs.
func (m *memory) vouched(path object.Path, st store.Stat) bool {
	if st.Doc == m.entries[path].Doc {
		return true
	}
	f, failed := m.failures[path]
	return st.Doc.IsZero() && failed && f.Revision == st.Revision
}
