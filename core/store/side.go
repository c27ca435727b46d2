package store

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/dgraph-io/badger/v4"
	"github.com/fxamacker/cbor/v2"

	"github.com/cleave-project/cleave/core/object"
)

// side is a table of small values beside the generations, by source and path. A value that is damaged or from another
// version is not there: these tables only save work, and what is missing is made again.
type side[V any] struct {
	s      *Store
	prefix string
}

// sideVersion begins each value, a CBOR array of the fields in their order. 2: stats name the document. 3: only the
// one that their bytes made.
const sideVersion = 3

// sideBatch is how many values are read in one transaction: enough to make its cost small, few enough that a slow
// reader holds nothing of Badger's open.
const sideBatch = 1024

// sideItem is a path with what the table holds for it.
type sideItem[V any] struct {
	path  object.Path
	value V
}

// all gives the values of a source in the order of the paths' bytes. What is set meanwhile may be seen or not.
func (t side[V]) all(ctx context.Context, source object.Source) iter.Seq2[sideItem[V], error] {
	return func(yield func(sideItem[V], error) bool) {
		from := sourceKey(t.prefix, source)
		for from != nil {
			items, next, err := t.batch(ctx, source, from)
			if err != nil {
				yield(sideItem[V]{}, fmt.Errorf("read %s of source %s: %w", t.prefix, source, err))
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			from = next
		}
	}
}

// one gives the value of one path.
func (t side[V]) one(ctx context.Context, source object.Source, path object.Path) (value V, ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return value, false, err
	}
	err = t.s.view(func(txn *badger.Txn) error {
		item, err := txn.Get(pathKey(t.prefix, source, path))
		if errors.Is(err, badger.ErrKeyNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		found, readable := t.read(item, len(sourceKey(t.prefix, source)))
		value, ok = found.value, readable
		return nil
	})
	if err != nil {
		return value, false, fmt.Errorf("read %s of %q in source %s: %w", t.prefix, path, source, err)
	}
	return value, ok, nil
}

// batch reads values from a key on, and the key to go on from, nil at the end.
func (t side[V]) batch(ctx context.Context, source object.Source, from []byte) (items []sideItem[V], next []byte, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	err = t.s.view(func(txn *badger.Txn) error {
		prefix := sourceKey(t.prefix, source)
		it := txn.NewIterator(badger.IteratorOptions{Prefix: prefix})
		defer it.Close()
		for it.Seek(from); it.Valid(); it.Next() {
			if len(items) == sideBatch {
				next = it.Item().KeyCopy(nil)
				return nil
			}
			if item, ok := t.read(it.Item(), len(prefix)); ok {
				items = append(items, item)
			}
		}
		return nil
	})
	return items, next, err
}

func (t side[V]) read(item *badger.Item, skip int) (sideItem[V], bool) {
	out := sideItem[V]{path: object.Path(item.Key()[skip:])}
	err := item.Value(func(v []byte) error {
		data, err := unseal(item.Key(), v)
		if err != nil {
			return err
		}
		if len(data) == 0 || data[0] != sideVersion {
			return errors.New("another version")
		}
		return cbor.Unmarshal(data[1:], &out.value)
	})
	return out, err == nil
}

// set writes and removes values in as many transactions as they need. A crash may leave some of it done, and it is on
// disk with the next generation at the latest.
func (t side[V]) set(ctx context.Context, source object.Source, puts iter.Seq2[object.Path, V], removes []object.Path) error {
	if err := t.s.writable(); err != nil {
		return err
	}
	if err := t.s.begin(); err != nil {
		return err
	}
	defer t.s.active.Done()
	b := t.s.db.NewWriteBatch()
	defer b.Cancel()
	b.SetMaxPendingTxns(pendingTxns)
	for path, value := range puts {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := cbor.Marshal(value)
		if err != nil {
			return fmt.Errorf("path %q: %w", path, err)
		}
		key := pathKey(t.prefix, source, path)
		if err := b.Set(key, seal(key, append([]byte{sideVersion}, data...))); err != nil {
			return t.s.fence(err)
		}
	}
	for _, path := range removes {
		if err := b.Delete(pathKey(t.prefix, source, path)); err != nil {
			return t.s.fence(err)
		}
	}
	if err := b.Flush(); err != nil {
		return t.s.fence(err)
	}
	return nil
}
