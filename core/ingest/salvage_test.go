package ingest_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"github.com/klauspost/compress/zstd"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// Damage in the head's tree does not stop its source: the next scan makes the generation anew from the files, the same
// as from scratch where the tree has not changed. What can still be read of a file that fails now stays, marked stale.
func TestDamagedHeadIsMended(t *testing.T) {
	for _, what := range []string{"root page", "a page", "all pages below the root"} {
		t.Run(what, func(t *testing.T) {
			l := newLab(t, t.TempDir(), openPlugins(t, "markdown", "text"))
			for i := range 300 { // more than one page
				l.write(fmt.Sprintf("%03d.md", i), fmt.Sprintf("# Number %d\n", i))
			}
			first := l.scan()
			calls := l.calls()
			l.damage(func(root object.ID, below []object.ID) []object.ID {
				switch what {
				case "root page":
					return []object.ID{root}
				case "a page":
					return below[len(below)/2:][:1]
				}
				return below
			})
			l.write("000.md", "Gr\xfc\xdfe\n")
			r := l.scan()
			if r.Mended == nil || !r.Published || r.Failed != 1 || r.Generation.Number != 2 {
				t.Fatalf("%+v", r)
			}
			state := l.entries()["000.md"].State
			if readable := what == "a page"; readable != (state == object.StateStale) {
				t.Errorf("the file that fails is %v", state)
			}
			l.write("000.md", "# Number 0\n")
			must(t, l.store.Check(context.Background(), func(p store.Problem) {
				if p.Number != 1 {
					t.Errorf("check: %v", p)
				}
			}))
			r = l.scan()
			if e := l.entries()["000.md"]; r.Mended != nil || e.State != object.StateCurrent || len(l.entries()) != 300 {
				t.Errorf("afterwards: %+v, %d entries", e, len(l.entries()))
			}
			if r.Generation.Counts != first.Generation.Counts {
				t.Errorf("counts %+v, want %+v", r.Generation.Counts, first.Generation.Counts)
			}
			if got := l.calls() - calls; got != 0 {
				t.Errorf("plugins were called %d times for what lies in the outline cache", got)
			}
			l.unchanged()
		})
	}
}

// A tree that has not changed is mended in place: nothing is published.
func TestDamagedHeadOfUnchangedTree(t *testing.T) {
	l := newLab(t, t.TempDir(), openPlugins(t, "markdown", "text"))
	l.write("a.md", "# A\n")
	first := l.scan()
	l.damage(func(root object.ID, _ []object.ID) []object.ID { return []object.ID{root} })
	r := l.scan()
	if r.Mended == nil || r.Published || r.Generation != first.Generation || l.text("a.md") != "# A\n" {
		t.Errorf("%+v", r)
	}
	l.unchanged()
}

// damage removes the tree pages that pick chooses among the head's root and the pages below it, behind the store's back,
// and opens the store again.
func (l *lab) damage(pick func(root object.ID, below []object.ID) []object.ID) {
	l.t.Helper()
	head, err := l.store.Head(context.Background(), docs)
	must(l.t, err)
	must(l.t, l.store.Close())
	db, err := badger.Open(badger.DefaultOptions(filepath.Join(l.dir, "store", "badger")).WithLogger(nil).
		WithCompression(options.None).WithBlockCacheSize(0).WithMemTableSize(4 << 20).WithValueThreshold(512 << 10).
		WithValueLogFileSize(1 << 20)) // as the store has it
	must(l.t, err)
	must(l.t, db.Update(func(txn *badger.Txn) error {
		var below []object.ID
		for _, c := range readPage(l.t, txn, head.Root).Children {
			below = append(below, c.Page)
		}
		for _, id := range pick(head.Root, below) {
			if err := txn.Delete(append([]byte("o/"), id[:]...)); err != nil {
				return err
			}
		}
		return nil
	}))
	must(l.t, db.Close())
	l.open()
}

// readPage reads a tree page as the store keeps it: after a Z, compressed.
func readPage(t testing.TB, txn *badger.Txn, id object.ID) object.Page {
	t.Helper()
	item, err := txn.Get(append([]byte("o/"), id[:]...))
	must(t, err)
	data, err := item.ValueCopy(nil)
	must(t, err)
	if data[0] == 'Z' {
		dec, err := zstd.NewReader(nil)
		must(t, err)
		defer dec.Close()
		data, err = dec.DecodeAll(data[1:], nil)
		must(t, err)
	}
	page, err := object.DecodePage(data)
	must(t, err)
	return page
}
