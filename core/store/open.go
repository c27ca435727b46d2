package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"

	"github.com/cleave-project/cleave/core/object"
)

// schema is the version of the layout in the package comment. 1: as drawn there.
const schema = "1"

var (
	schemaKey = []byte("m/schema")
	storeKey  = []byte("m/store")
)

// Open opens the store in dir, or makes it on the first run. The error is an *OccupiedError, *ReplacedError,
// *BrokenError or *FullError where one fits. A source whose head is behind what was acknowledged, or damaged, does not
// keep Open from succeeding: its own calls return an *OldError or *DamageError, until a stage has published the whole
// of a damaged one. A head that is ahead, because the
// process ended between the two, is complete (I1): it counts as acknowledged from here on.
func Open(ctx context.Context, dir string, o Options) (*Store, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Reserve == 0 {
		o.Reserve = DefaultReserve
	}
	if err := os.MkdirAll(filepath.Join(dir, badgerDir), 0o700); err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	l, err := acquire(dir)
	if err != nil {
		return nil, err
	}
	s, err := openLocked(ctx, dir, o, l)
	if err != nil {
		return nil, errors.Join(err, l.release())
	}
	return s, nil
}

func openLocked(ctx context.Context, dir string, o Options, l *lock) (*Store, error) {
	if err := room(dir, o.Reserve); err != nil {
		return nil, err
	}
	id, known, err := readIdentity(dir)
	if err != nil {
		return nil, err
	}
	opts := badgerOptions(dir, o.Logger)
	if err := inspect(dir, len(id.Acknowledged) > 0, opts); err != nil {
		return nil, broken(dir, err)
	}
	if err := tryLogs(dir); err != nil {
		return nil, broken(dir, err)
	}
	if err := dropHusks(dir); err != nil {
		return nil, err
	}
	db, err := openBadger(ctx, opts)
	if err != nil {
		return nil, broken(dir, err)
	}
	q, err := newSqueezer()
	if err != nil {
		return nil, errors.Join(err, closeBadger(db))
	}
	s := &Store{
		dir: dir, opts: o, db: db, lock: l, identity: id, squeezer: q,
		heads: map[object.Source]head{}, refused: map[object.Source]error{},
		staging: map[object.Source]bool{}, pins: map[object.Source]map[uint64]int{},
	}
	s.sync = s.syncAll
	if err := s.recognise(ctx, known); err != nil {
		return nil, errors.Join(err, closeBadger(db))
	}
	return s, nil
}

// openBadger opens Badger. Replaying logs may take long, so it can be cancelled; what opens later is closed again.
func openBadger(ctx context.Context, opts badger.Options) (*badger.DB, error) {
	type result struct {
		db  *badger.DB
		err error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r = result{err: fmt.Errorf("badger panicked: %v", p)}
			}
			done <- r
		}()
		r.db, r.err = badger.Open(opts)
	}()
	select {
	case r := <-done:
		return r.db, r.err
	case <-ctx.Done():
		go func() { // ends when Badger's open does
			if r := <-done; r.err == nil {
				_ = closeBadger(r.db) // nobody is left to tell; nothing was written
			}
		}()
		return nil, ctx.Err()
	}
}

// recognise holds what Badger opened against the identity file, and loads the heads.
func (s *Store) recognise(ctx context.Context, known bool) error {
	have, err := s.meta(storeKey)
	if err != nil {
		return err
	}
	if err := s.loadHeads(ctx, known); err != nil {
		return err
	}
	switch {
	case known && have == s.identity.Store:
		if err := s.checkSchema(); err != nil {
			return err
		}
	case known && have != "":
		return s.replaced("it is another store, " + have)
	case known && len(s.identity.Acknowledged) > 0:
		return s.replaced("it is empty, but generations have been acknowledged")
	case known: // a first run was cut short before anything was published
		return s.found()
	case len(s.heads)+len(s.refused) > 0:
		return s.replaced(identityFile + " is missing")
	default:
		s.identity = newIdentity()
		if err := s.identity.write(s.dir); err != nil {
			return err
		}
		return s.found()
	}
	if len(s.refused) > 0 {
		return nil
	}
	return errors.Join(dropAside(s.dir), s.acknowledgeHeads())
}

func (s *Store) replaced(why string) error { return &ReplacedError{Dir: s.dir, Why: why} }

// found makes an empty store the one that the identity file names.
func (s *Store) found() error {
	err := s.db.Update(func(txn *badger.Txn) error {
		return errors.Join(txn.Set(schemaKey, []byte(schema)), txn.Set(storeKey, []byte(s.identity.Store)))
	})
	if err == nil {
		err = s.sync()
	}
	if err != nil {
		return fmt.Errorf("found the store in %s: %w", s.dir, err)
	}
	return nil
}

func (s *Store) checkSchema() error {
	have, err := s.meta(schemaKey)
	if err == nil && have != schema {
		err = fmt.Errorf("store in %s: layout version %q, this program reads %s", s.dir, have, schema)
	}
	return err
}

// meta reads a small value, "" if there is none.
func (s *Store) meta(key []byte) (string, error) {
	v, err := s.value(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return "", nil
	}
	return string(v), err
}

// acknowledgeHeads writes down heads that are ahead of the identity file: they moved, and the process ended before it
// could say so. They are complete (I1), and now they are served.
func (s *Store) acknowledgeHeads() error {
	id := s.identity
	for source, h := range s.heads {
		if id.Acknowledged[source] < h.generation.Number {
			id = id.with(source, h.generation.Number)
		}
	}
	if len(id.Acknowledged) == 0 {
		return nil
	}
	if err := s.sync(); err != nil {
		return err
	}
	s.identity = id
	return id.write(s.dir)
}
