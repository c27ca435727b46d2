package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"

	"github.com/cleave-project/cleave/core/object"
)

// PutChecksum notes which build of a plugin made a document. It lies beside the record and is not hashed with it, so
// that a rebuilt plugin that says the same moves nothing. The first to say so stays: later generations share the record
// with the one it was made for. Like an outline, it stays whether or not the stage is published. It may be called from
// several goroutines.
func (st *Stage) PutChecksum(ctx context.Context, doc object.ID, sha string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.summed[doc] {
		return nil
	}
	_, there, err := st.s.Checksum(ctx, doc)
	if err != nil {
		return err
	}
	if !there {
		key := checksumKey(doc)
		if err := st.readyLocked(len(sha)); err != nil {
			return err
		}
		if err := st.setLocked(key, seal(key, []byte(sha))); err != nil {
			return err
		}
	}
	st.summed[doc] = true
	return nil
}

// Checksum is what PutChecksum noted for a document. False: nothing was, or it is damaged.
func (s *Store) Checksum(ctx context.Context, doc object.ID) (sha string, ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return "", false, err
	}
	data, err := s.sealed(checksumKey(doc))
	switch {
	case errors.Is(err, badger.ErrKeyNotFound) || errors.Is(err, errSeal):
		return "", false, nil
	case err != nil:
		return "", false, fmt.Errorf("checksum beside document %s: %w", doc, err)
	}
	return string(data), true, nil
}
