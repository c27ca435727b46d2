package scan_test

import (
	"testing"
	"time"

	"github.com/cleave-project/cleave/core/scan"
)

func TestSame(t *testing.T) {
	const s = int64(time.Second)
	const now = 1_000_000 * s
	old := scan.Stat{Size: 5, ModTime: now - 100*s, ChangeTime: now - 100*s, Inode: 7}
	with := func(change func(*scan.Stat)) scan.Stat { st := old; change(&st); return st }
	for _, tc := range []struct {
		name      string
		prev, cur scan.Stat
		want      bool
	}{
		{"untouched", old, old, true},
		{"other size", old, with(func(s *scan.Stat) { s.Size++ }), false},
		{"newer", old, with(func(s *scan.Stat) { s.ModTime++ }), false},
		{"older: copied in with its dates (W17)", old, with(func(s *scan.Stat) { s.ModTime -= 1000 * int64(time.Hour) }), false},
		{"changed, dates put back", old, with(func(s *scan.Stat) { s.ChangeTime++ }), false},
		{"another file moved here", old, with(func(s *scan.Stat) { s.Inode++ }), false},
		{"written in the tick of the record (W16)", with(func(st *scan.Stat) { st.ModTime, st.ChangeTime = now, now }), with(func(st *scan.Stat) { st.ModTime, st.ChangeTime = now, now }), false},
		{"written a second before", with(func(st *scan.Stat) { st.ModTime = now - s }), with(func(st *scan.Stat) { st.ModTime = now - s }), false},
		{"written three seconds before", with(func(st *scan.Stat) { st.ModTime = now - 3*s }), with(func(st *scan.Stat) { st.ModTime = now - 3*s }), true},
		{"dates put back a second before", with(func(st *scan.Stat) { st.ChangeTime = now - s }), with(func(st *scan.Stat) { st.ChangeTime = now - s }), false},
		{"dated in the future", with(func(st *scan.Stat) { st.ModTime = now + 100*s }), with(func(st *scan.Stat) { st.ModTime = now + 100*s }), false},
	} {
		f := scan.File{Size: tc.cur.Size, ModTime: tc.cur.ModTime, ChangeTime: tc.cur.ChangeTime, Inode: tc.cur.Inode}
		if got := f.Same(tc.prev, now); got != tc.want {
			t.Errorf("%s: Same = %t", tc.name, got)
		}
	}
}

// What was written just now is not known by its times alone: the next write may leave the same ones (W16).
func TestFreshFileIsReadAgain(t *testing.T) {
	root := tree(t, map[string]string{"a": "one"})
	o := scan.Options{Root: root}
	f := walk(t, o).Files[0]
	if now := time.Now(); f.Same(f.Stat(), now.UnixNano()) {
		t.Errorf("%+v is trusted at %v", f, now)
	}
	if later := time.Now().Add(time.Minute); !f.Same(f.Stat(), later.UnixNano()) {
		t.Errorf("%+v is not trusted at %v", f, later)
	}
}
