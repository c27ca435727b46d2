package store

import (
	"context"
	"errors"

	"github.com/dgraph-io/badger/v4"

	"github.com/cleave-project/cleave/core/object"
)

// outlineMark begins an outline's value; the hash of the outline follows, since its key is not the hash of its bytes.
const outlineMark = 'U'

func outlineValue(data []byte) []byte {
	sum := object.Sum(data)
	v := append(make([]byte, 0, 1+len(sum)+len(data)), outlineMark)
	return append(append(v, sum[:]...), data...)
}

// Outline reads a cached outline. One that is damaged is not there: whoever asks makes it again (I11).
func (s *Store) Outline(ctx context.Context, key object.ID) ([]byte, bool, error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	v, err := s.value(outlineKey(key))
	if errors.Is(err, badger.ErrKeyNotFound) {
		return nil, false, nil
	}
	if errors.Is(err, ErrClosed) {
		return nil, false, err
	}
	const head = 1 + len(object.ID{})
	if err != nil || len(v) < head || v[0] != outlineMark || object.Sum(v[head:]) != object.ID(v[1:head]) {
		return nil, false, nil
	}
	return v[head:], true, nil
}
