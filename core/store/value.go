package store

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"

	"github.com/cleave-project/cleave/core/object"
)

// partSize is the most bytes of one Badger value: below valueThreshold, and a few fit in one transaction.
const partSize = 256 << 10

// partsMark begins the value of a key whose bytes lie in parts; their number follows. No object kind has this letter.
const partsMark = 'P'

// writeValue gives the keys and values that data is stored as under key, compressed: one, or a mark and parts.
func (s *Store) writeValue(key, data []byte, set func(k, v []byte) error) error {
	data = s.squeezer.squeeze(data)
	if len(data) <= partSize {
		return set(key, data)
	}
	n := (len(data) + partSize - 1) / partSize
	for i := range n {
		part := data[i*partSize : min((i+1)*partSize, len(data))]
		if err := set(partKey(key, i), part); err != nil {
			return err
		}
	}
	return set(key, binary.BigEndian.AppendUint32([]byte{partsMark}, uint32(n)))
}

// value reads what writeValue wrote. The error is badger.ErrKeyNotFound if there is nothing.
func (s *Store) value(key []byte) ([]byte, error) {
	var data []byte
	err := s.view(func(txn *badger.Txn) error {
		first, err := copyValue(txn, key)
		if err != nil || len(first) == 0 || first[0] != partsMark {
			data = first
			return err
		}
		data, err = readParts(txn, key, first)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.squeezer.expand(data)
}

func readParts(txn *badger.Txn, key, mark []byte) ([]byte, error) {
	if len(mark) != 5 {
		return nil, fmt.Errorf("parts mark of %d bytes", len(mark))
	}
	var data []byte
	for i := range int(binary.BigEndian.Uint32(mark[1:])) {
		part, err := copyValue(txn, partKey(key, i))
		if err != nil {
			return nil, fmt.Errorf("part %d: %w", i, err)
		}
		data = append(data, part...)
	}
	return data, nil
}

func copyValue(txn *badger.Txn, key []byte) ([]byte, error) {
	item, err := txn.Get(key)
	if err != nil {
		return nil, err
	}
	return item.ValueCopy(nil)
}

// sealed reads a sealed value. It is not read as parts: a seal may begin with any byte, and the values are small.
func (s *Store) sealed(key []byte) ([]byte, error) {
	var data []byte
	err := s.view(func(txn *badger.Txn) error {
		v, err := copyValue(txn, key)
		if err != nil {
			return err
		}
		data, err = unseal(key, v)
		return err
	})
	return data, err
}

// get reads an object and verifies it (I3). Whoever asks has its ID from a record, so that a missing one is damage.
func (s *Store) get(id object.ID) ([]byte, error) {
	data, err := s.value(objectKey(id))
	switch {
	case errors.Is(err, ErrClosed):
		return nil, err
	case errors.Is(err, badger.ErrKeyNotFound):
		return nil, &DamageError{ID: id, Why: "missing"}
	case err != nil:
		return nil, &DamageError{ID: id, Why: err.Error()}
	case len(data) == 0:
		return nil, &DamageError{ID: id, Why: "empty"}
	case object.Sum(data) != id:
		return nil, &DamageError{ID: id, Why: "its bytes have another hash"}
	}
	return data, nil
}

// has tells whether an object is there and whole. A damaged one is not, so that a put mends it.
func (s *Store) has(id object.ID) (bool, error) {
	_, err := s.get(id)
	var damage *DamageError
	if errors.As(err, &damage) {
		return false, nil
	}
	return err == nil, err
}
