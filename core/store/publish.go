package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"

	"github.com/cleave-project/cleave/core/object"
)

// Edit sets or removes the entry of one path.
type Edit = object.Edit

// Update is what makes the next generation out of the stage's parent.
type Update struct {
	Edits    []Edit // at most one for each path; sorted in place
	Whole    bool   // the edits are the whole tree: nothing is read of the parent's, and its damaged pages are mended
	Delta    object.Delta
	Reason   string
	Complete bool
	Time     int64 // nanoseconds since 1970
}

// Publish makes the parent's tree with the edits, or the edits alone if they are the whole, the source's head, and
// returns when that is durable. If the tree is the parent's own nothing is published, and the parent is returned. The
// error is ErrHeadMoved if the head is not the parent, and a *FencedError if a write or sync failed: then it is not
// known whether the head has moved on disk, and this process does not show it.
func (st *Stage) Publish(ctx context.Context, u Update) (g object.Generation, published bool, err error) {
	from := st.parent.generation.Root
	if u.Whole {
		from = object.ID{}
	}
	sum, err := st.build(ctx, from, u.Edits)
	if err != nil {
		return object.Generation{}, false, fmt.Errorf("publish source %s: %w", st.source, err)
	}
	if st.hasParent && sum.Page == st.parent.generation.Root {
		return st.parent.generation, false, st.keep(u)
	}
	next, data, err := st.next(sum, u)
	if err != nil {
		return object.Generation{}, false, fmt.Errorf("publish source %s: %w", st.source, err)
	}
	if err := st.commit(ctx, next, data); err != nil {
		return object.Generation{}, false, fmt.Errorf("publish generation %d of source %s: %w",
			next.generation.Number, st.source, err)
	}
	return next.generation, true, nil
}

// keep ends a stage that leads to the parent's own tree. Where that was damaged it is whole now, on disk too.
func (st *Stage) keep(u Update) error {
	if err := st.flush(); err != nil || !u.Whole {
		return err
	}
	st.s.commit.Lock()
	defer st.s.commit.Unlock()
	if err := st.s.sync(); err != nil {
		return st.s.fence(err)
	}
	st.s.mu.Lock()
	defer st.s.mu.Unlock()
	delete(st.s.refused, st.source)
	return nil
}

// build writes the pages of the new tree. Every document that an edit names must be there: the head never names a
// generation that reaches what is missing (I1).
func (st *Stage) build(ctx context.Context, from object.ID, edits []Edit) (object.Child, error) {
	for _, e := range edits {
		if e.Entry == nil || e.Entry.Doc.IsZero() {
			continue
		}
		there, err := st.there(e.Entry.Doc)
		if err == nil && !there {
			err = &DamageError{ID: e.Entry.Doc, Why: "named by an edit, but missing"}
		}
		if err != nil {
			return object.Child{}, fmt.Errorf("path %q: %w", e.Path, err)
		}
	}
	return st.s.tree().Edit(ctx, from, edits, func(p object.Page) (object.ID, error) {
		data, err := object.EncodePage(p)
		if err != nil {
			return object.ID{}, err
		}
		return st.putObject(data)
	})
}

// next is the new head and its encoded record.
func (st *Stage) next(sum object.Child, u Update) (head, []byte, error) {
	g := object.Generation{
		Source: st.source, Number: st.parent.generation.Number + 1, Parent: st.parent.id, Root: sum.Page,
		Counts: sum.Counts, Delta: u.Delta, Time: u.Time, Reason: u.Reason, Complete: u.Complete,
	}
	data, err := object.EncodeGeneration(g)
	return head{generation: g, id: object.Sum(data)}, data, err
}

// commit is the order that I1 asks for: objects on disk, head and record in one transaction, head on disk, number
// beside Badger on disk, and only then the head for readers.
func (st *Stage) commit(ctx context.Context, next head, record []byte) error {
	s := st.s
	s.commit.Lock()
	defer s.commit.Unlock()
	if err := ctx.Err(); err != nil { // the last moment: from here on the work is finished
		return err
	}
	if err := s.writable(); err != nil {
		return err
	}
	if err := st.flush(); err != nil {
		return err
	}
	if err := s.sync(); err != nil {
		return s.fence(err)
	}
	if err := st.moveHead(next, record); err != nil {
		return err
	}
	if err := s.sync(); err != nil {
		return s.fence(err)
	}
	id := s.identity.with(st.source, next.generation.Number)
	if err := id.write(s.dir); err != nil {
		return s.fence(err)
	}
	s.identity = id
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heads[st.source] = next
	delete(s.refused, st.source) // a tree that was damaged is not the head's any more
	st.parent, st.hasParent = next, true
	return nil
}

// moveHead compares the head with the stage's parent and moves it, in one transaction with the record.
func (st *Stage) moveHead(next head, record []byte) error {
	hkey, gkey := headKey(st.source), generationKey(st.source, next.generation.Number)
	gvalue, hvalue := seal(gkey, record), seal(hkey, headValue(next))
	st.count(len(gkey) + len(gvalue) + len(hkey) + len(hvalue))
	err := st.s.db.Update(func(txn *badger.Txn) error {
		if err := st.compareHead(txn, hkey); err != nil {
			return err
		}
		if err := txn.Set(gkey, gvalue); err != nil {
			return err
		}
		return txn.Set(hkey, hvalue)
	})
	if errors.Is(err, badger.ErrConflict) {
		return ErrHeadMoved
	}
	if err != nil && !errors.Is(err, ErrHeadMoved) {
		return st.s.fence(err)
	}
	return err
}

func (st *Stage) compareHead(txn *badger.Txn, key []byte) error {
	value, err := copyValue(txn, key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		if st.hasParent {
			return ErrHeadMoved
		}
		return nil
	}
	if err != nil {
		return err
	}
	data, err := unseal(key, value)
	if err != nil {
		return damagedKey(key, err)
	}
	number, id, err := parseHead(data)
	if err != nil {
		return damagedKey(key, err)
	}
	if !st.hasParent || number != st.parent.generation.Number || id != st.parent.id {
		return ErrHeadMoved
	}
	return nil
}
