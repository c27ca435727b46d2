package store_test

import (
	"context"
	"testing"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// The checksum beside a record is the first that was put, in one stage and over several, and outlives the process.
func TestChecksumOfTheFirstStays(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	s := open(t, dir)
	a, b := object.ID{1}, object.ID{2}
	stage := func(put func(*store.Stage) error) {
		t.Helper()
		err := s.Stage(ctx, docs, func(st *store.Stage) error {
			if err := put(st); err != nil {
				return err
			}
			_, _, err := st.Publish(ctx, store.Update{})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	want := func(doc object.ID, sha string, there bool) {
		t.Helper()
		if got, ok, err := s.Checksum(ctx, doc); err != nil || got != sha || ok != there {
			t.Errorf("checksum of %s: %q %v %v, want %q %v", doc, got, ok, err, sha, there)
		}
	}
	stage(func(st *store.Stage) error {
		if err := st.PutChecksum(ctx, a, "first"); err != nil {
			return err
		}
		return st.PutChecksum(ctx, a, "second")
	})
	want(a, "first", true)
	want(b, "", false)
	s = reopen(t, s, dir)
	stage(func(st *store.Stage) error {
		if err := st.PutChecksum(ctx, a, "third"); err != nil {
			return err
		}
		return st.PutChecksum(ctx, b, "other")
	})
	want(a, "first", true)
	want(b, "other", true)
}
