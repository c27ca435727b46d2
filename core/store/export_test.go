package store

import (
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
