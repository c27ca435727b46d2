package store

import (
	"slices"
	"strings"

	"github.com/dgraph-io/badger/v4"

	"github.com/cleave-project/cleave/core/object"
)

// FailSync makes the nth sync from now and all later ones fail with err.
func (s *Store) FailSync(n int, err error) {
	good := s.sync
	s.sync = func() error {
		if n--; n <= 0 {
			return err
		}
		return good()
	}
}

// Overwrite puts other bytes in an object's place, nil removes it.
func (s *Store) Overwrite(id object.ID, data []byte) error {
	s.pages = pageCache{}
	return s.db.Update(func(txn *badger.Txn) error {
		if data == nil {
			return txn.Delete(objectKey(id))
		}
		return txn.Set(objectKey(id), data)
	})
}

// MoveHead moves a source's head behind the store's back.
func (s *Store) MoveHead(source object.Source) error {
	key := headKey(source)
	return s.db.Update(func(txn *badger.Txn) error {
		return txn.Set(key, seal(key, headValue(head{generation: object.Generation{Number: 99}})))
	})
}

// Lease is a generation that is pinned, and how often.
type Lease struct {
	Source object.Source
	Number uint64
	Pins   int
}

// Pinned are the leases that are out, by source and number.
func (s *Store) Pinned() []Lease {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Lease
	for source, numbers := range s.pins {
		for number, n := range numbers {
			out = append(out, Lease{Source: source, Number: number, Pins: n})
		}
	}
	slices.SortFunc(out, func(a, b Lease) int {
		if c := strings.Compare(string(a.Source), string(b.Source)); c != 0 {
			return c
		}
		if a.Number < b.Number {
			return -1
		}
		return 1
	})
	return out
}
