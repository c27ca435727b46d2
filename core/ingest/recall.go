package ingest

import (
	"context"
	"errors"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// memory is what the last run left: the head's entries, and beside them what serves change detection.
type memory struct {
	head     object.Generation // zero where there is none
	entries  map[object.Path]object.Entry
	stats    map[object.Path]store.Stat
	failures map[object.Path]store.Failure
	// made finds a record that was made from the same bytes under the same contract, wherever it stands: a rename, a
	// copy or a touched file is not split again (C3).
	made map[recipe]object.Entry
}

// recipe is everything a document record depends on.
type recipe struct {
	outline  object.ID // bytes, plugin, media type, language
	contract object.ID // packing
}

func recall(ctx context.Context, st *store.Store, source object.Source) (*memory, error) {
	m := &memory{
		entries:  map[object.Path]object.Entry{},
		stats:    map[object.Path]store.Stat{},
		failures: map[object.Path]store.Failure{},
		made:     map[recipe]object.Entry{},
	}
	for item, err := range st.Stats(ctx, source) {
		if err != nil {
			return nil, err
		}
		m.stats[item.Path] = item.Stat
	}
	failures, err := st.Failures(ctx, source)
	if err != nil {
		return nil, err
	}
	for _, f := range failures {
		m.failures[f.Path] = f.Failure
	}
	pin, err := st.Pin(ctx, source, 0)
	if errors.Is(err, store.ErrNoGeneration) {
		return m, nil
	}
	if err != nil {
		return nil, err
	}
	defer pin.Release()
	m.head = pin.Generation()
	for item, err := range pin.All(ctx) {
		if err != nil {
			return nil, err
		}
		m.entries[item.Path] = item.Entry
	}
	m.distrust()
	for path, entry := range m.entries {
		if st, ok := m.stats[path]; ok && st.Doc == entry.Doc && entry.State == object.StateCurrent {
			m.made[recipe{st.OutlineKey, st.Contract}] = entry
		}
	}
	return m, nil
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
