package object_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cleave-project/cleave/core/object"
)

// heap is a tree store that keeps encoded pages and counts what is read and written.
type heap struct {
	pages         map[object.ID][]byte
	reads, writes int
	bytes         int
}

func newHeap() *heap { return &heap{pages: map[object.ID][]byte{}} }

func (h *heap) tree() object.Tree {
	return object.Tree{Load: func(_ context.Context, id object.ID) (object.Page, error) {
		data, ok := h.pages[id]
		if !ok {
			return object.Page{}, fmt.Errorf("page %s is missing", id)
		}
		h.reads++
		return object.DecodePage(data)
	}}
}

func (h *heap) put(p object.Page) (object.ID, error) {
	data, err := object.EncodePage(p)
	if err != nil {
		return object.ID{}, err
	}
	id := object.Sum(data)
	h.pages[id] = data
	h.writes++
	h.bytes += len(data)
	return id, nil
}

func (h *heap) edit(t require, root object.ID, edits []object.Edit) object.Child {
	t.Helper()
	c, err := h.tree().Edit(context.Background(), root, edits, h.put)
	if err != nil {
		t.Fatalf("edit: %v", err)
	}
	return c
}

type require interface {
	Helper()
	Fatalf(string, ...any)
}

func entry(n int) object.Entry {
	e := object.Entry{
		Doc: object.Sum(fmt.Append(nil, n)), Bytes: int64(n), Chunks: n % 7, Modified: 1_700_000_000_000_000_000 + int64(n),
		Access: object.Access{Mode: 0o644, UID: 1000, GID: 1000},
	}
	switch n % 11 {
	case 3:
		e.State = object.StateStale
	case 5:
		e = object.Entry{State: object.StateFailed, Bytes: int64(n)}
	}
	return e
}

func editsOf(want map[object.Path]object.Entry) []object.Edit {
	var edits []object.Edit
	for p, e := range want {
		edits = append(edits, object.Edit{Path: p, Entry: &e})
	}
	return edits
}

func items(t require, h *heap, root object.ID) map[object.Path]object.Entry {
	t.Helper()
	got, prev := map[object.Path]object.Entry{}, object.Path("")
	for it, err := range h.tree().Walk(context.Background(), root) {
		if err != nil {
			t.Fatalf("walk: %v", err)
		}
		if it.Path <= prev {
			t.Fatalf("walk: %q after %q", it.Path, prev)
		}
		got[it.Path], prev = it.Entry, it.Path
	}
	return got
}

// pathOf is a path of a small world, so that histories meet it again, with a byte that is no UTF-8.
func pathOf(n int) object.Path { return object.Path(fmt.Sprintf("d%02d/\xffsub/%d.md", n%13, n)) }

func total(want map[object.Path]object.Entry) object.Counts {
	var c object.Counts
	for _, e := range want {
		c = c.Plus(e.Counts())
	}
	return c
}

// Equal sets of paths give equal roots by any history (I8), and the summary, lookups and walks agree with a map.
func TestTreeForgetsItsHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, root, want := newHeap(), object.ID{}, map[object.Path]object.Entry{}
		size := rapid.SampledFrom([]int{3, 40, 400, 4000}).Draw(t, "size")
		var sum object.Child
		for range rapid.IntRange(1, 6).Draw(t, "rounds") {
			batch := map[object.Path]*object.Entry{}
			rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)) // a draw for each path would take most of the time
			for range rapid.SampledFrom([]int{1, 2, 10, size}).Draw(t, "batch") {
				p := pathOf(rng.IntN(size))
				if rng.IntN(3) == 0 {
					batch[p] = nil
					delete(want, p)
					continue
				}
				e := entry(rng.IntN(50))
				batch[p], want[p] = &e, e
			}
			var edits []object.Edit
			for p, e := range batch {
				edits = append(edits, object.Edit{Path: p, Entry: e})
			}
			sum = h.edit(t, root, edits)
			root = sum.Page
		}
		if fresh := h.edit(t, object.ID{}, editsOf(want)); fresh != sum {
			t.Fatalf("by history %+v, from scratch %+v", sum, fresh)
		}
		if got := items(t, h, root); !maps.Equal(got, want) {
			t.Fatalf("walk: %s", cmp.Diff(want, got))
		}
		if sum.Items != len(want) || sum.Counts != total(want) {
			t.Fatalf("summary %+v of %d items, %+v", sum, len(want), total(want))
		}
		if again, err := h.tree().Summary(context.Background(), root); err != nil || again != sum {
			t.Fatalf("Summary %+v %v, want %+v", again, err, sum)
		}
	})
}

// Large deletions shrink the tree to what a fresh build has, level by level.
func TestTreeGrowsAndShrinks(t *testing.T) {
	h, root, want := newHeap(), object.ID{}, map[object.Path]object.Entry{}
	for n := range 30_000 {
		want[object.Path(fmt.Sprintf("a/%05d", n))] = entry(n)
	}
	root = h.edit(t, root, editsOf(want)).Page
	keys := slices.Sorted(maps.Keys(want))
	for _, keep := range []int{20_000, 700, 30, 1, 0} {
		var edits []object.Edit
		for _, p := range keys[keep:] {
			edits = append(edits, object.Edit{Path: p})
			delete(want, p)
		}
		keys = keys[:keep]
		got := h.edit(t, root, edits)
		if fresh := h.edit(t, object.ID{}, editsOf(want)); fresh != got {
			t.Fatalf("cut to %d: %+v, from scratch %+v", keep, got, fresh)
		}
		root = got.Page
	}
	if !root.IsZero() {
		t.Errorf("root of the empty tree: %s", root)
	}
}

func TestTreeLookup(t *testing.T) {
	h, want := newHeap(), map[object.Path]object.Entry{}
	for n := range 2_000 {
		want[object.Path(fmt.Sprintf("%d/x", n))] = entry(n)
	}
	root := h.edit(t, object.ID{}, editsOf(want)).Page
	for p, e := range want {
		if got, ok, err := h.tree().Lookup(context.Background(), root, p); err != nil || !ok || got != e {
			t.Fatalf("lookup %q: %+v %v %v", p, got, ok, err)
		}
		if _, ok, err := h.tree().Lookup(context.Background(), root, p+"~"); err != nil || ok {
			t.Fatalf("lookup of a path that is not there: %v %v", ok, err)
		}
	}
}

// Diff says what a comparison of two maps says, in order.
func TestTreeDiff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHeap()
		size := rapid.SampledFrom([]int{5, 300, 3000}).Draw(t, "size")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		draw := func() map[object.Path]object.Entry {
			m := map[object.Path]object.Entry{}
			for range rapid.SampledFrom([]int{0, 1, size / 2, size}).Draw(t, "n") {
				m[pathOf(rng.IntN(size))] = entry(rng.IntN(4))
			}
			return m
		}
		a := draw()
		b := draw()
		if rapid.Bool().Draw(t, "related") {
			maps.Copy(b, a)
			delete(b, pathOf(rng.IntN(size)))
			b[pathOf(rng.IntN(size))] = entry(99)
		}
		ra, rb := h.edit(t, object.ID{}, editsOf(a)).Page, h.edit(t, object.ID{}, editsOf(b)).Page
		var got []object.Change
		for c, err := range h.tree().Diff(context.Background(), ra, rb) {
			if err != nil {
				t.Fatalf("diff: %v", err)
			}
			got = append(got, c)
		}
		if want := changes(a, b); !cmp.Equal(want, got) {
			t.Fatalf("diff: %s", cmp.Diff(want, got))
		}
	})
}

func changes(a, b map[object.Path]object.Entry) []object.Change {
	all := maps.Clone(a)
	maps.Copy(all, b)
	var out []object.Change
	for _, p := range slices.Sorted(maps.Keys(all)) {
		c := object.Change{Path: p}
		if e, ok := a[p]; ok {
			c.Old = &e
		}
		if e, ok := b[p]; ok {
			c.New = &e
		}
		if c.Old == nil || c.New == nil || *c.Old != *c.New {
			out = append(out, c)
		}
	}
	return out
}

// A change of one entry among 100,000 reads and writes one page on each level, and Diff reads only what differs.
func TestTreeEditTouchesOnePagePerLevel(t *testing.T) {
	h, want := newHeap(), map[object.Path]object.Entry{}
	for n := range 100_000 {
		want[object.Path(fmt.Sprintf("docs/area-%03d/topic-%02d/page-%05d.md", n%211, n%17, n))] = entry(n)
	}
	root := h.edit(t, object.ID{}, editsOf(want)).Page
	t.Logf("100,000 entries: %d pages, %d bytes", h.writes, h.bytes)
	worst := 0
	for n := 7; n < 100_000; n += 4_999 {
		e := entry(n + 1)
		p := object.Path(fmt.Sprintf("docs/area-%03d/topic-%02d/page-%05d.md", n%211, n%17, n))
		h.reads, h.writes, h.bytes = 0, 0, 0
		next := h.edit(t, root, []object.Edit{{Path: p, Entry: &e}}).Page
		if h.writes > 5 || h.reads > 6 {
			t.Errorf("edit of %s: %d reads, %d writes", p, h.reads, h.writes)
		}
		worst = max(worst, h.bytes)
		h.reads = 0
		for c, err := range h.tree().Diff(context.Background(), root, next) {
			if err != nil || c.Path != p {
				t.Fatalf("diff: %+v %v", c, err)
			}
		}
		if h.reads > 10 {
			t.Errorf("diff of one change read %d pages", h.reads)
		}
	}
	t.Logf("change of one entry: at most %d bytes of pages", worst)
	if worst > 32<<10 {
		t.Errorf("change of one entry writes %d bytes of pages", worst)
	}
}

func TestTreeRefusesBadEdits(t *testing.T) {
	h, e := newHeap(), entry(1)
	for _, edits := range [][]object.Edit{{{Path: ""}}, {{Path: "a", Entry: &e}, {Path: "a"}}} {
		if _, err := h.tree().Edit(context.Background(), object.ID{}, edits, h.put); err == nil {
			t.Errorf("edits %+v: no error", edits)
		}
	}
}
