package index_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cleave-project/cleave/core/index"
)

// historyQueries ask for rare and common words, headings, paths, and a character that stands for all terms it begins.
var historyQueries = []string{"apple", "apple banana", "cherry damson elder", "head", "f3", "東", "東 apple"}

// history is an index that has seen many generations.
type history struct {
	t      *rapid.T
	tmp    func() string // a new directory
	dir    string
	shared *shared
	x      *index.Index
	files  map[string]string
	past   []*memory // generations, the marked one last
}

func (h *history) must(err error) {
	if err != nil {
		h.t.Fatal(err)
	}
}

// edit draws a file's next text, or that it is gone.
func (h *history) edit() {
	path := fmt.Sprintf("f%d.md", rapid.IntRange(0, 7).Draw(h.t, "file"))
	paragraphs := rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom([]string{
		"apple", "banana", "cherry", "damson", "elder", "東京", "東方", "東", "filler filler filler",
	}), 1, 8), 0, 4).Draw(h.t, "text")
	if len(paragraphs) == 0 {
		delete(h.files, path)
		return
	}
	var text strings.Builder
	if rapid.Bool().Draw(h.t, "heading") {
		text.WriteString("# A head apple\n\n")
	}
	for _, words := range paragraphs {
		text.WriteString(strings.Join(words, " ") + "\n\n")
	}
	h.files[path] = text.String()
}

// move follows to the next generation: after some edits, at times from nothing, and at times at the second try.
func (h *history) move() {
	for range rapid.IntRange(1, 4).Draw(h.t, "edits") {
		h.edit()
	}
	to := h.shared.files(h.files)
	if rapid.IntRange(0, 3).Draw(h.t, "broken") == 0 {
		_ = h.x.Follow(h.t.Context(), h.from(), &failing{to, rapid.IntRange(0, 3).Draw(h.t, "texts")}) // or it did it
		if mark, err := h.x.Mark(); err == nil && mark.Number == to.generation.Number {
			h.past = append(h.past, to)
			return
		}
	}
	h.must(h.x.Follow(h.t.Context(), h.from(), to))
	h.past = append(h.past, to)
}

func (h *history) from() index.Tree {
	if len(h.past) == 0 || rapid.IntRange(0, 3).Draw(h.t, "from nothing") == 0 {
		return nil
	}
	return h.past[len(h.past)-1]
}

// look holds an older generation and compares it; its rows stay in the index.
func (h *history) look() {
	g := h.past[rapid.IntRange(0, len(h.past)-1).Draw(h.t, "generation")]
	v := h.view(g)
	hold, err := h.x.Ensure(h.t.Context(), g, v)
	h.must(err)
	defer hold.Release()
	if rapid.Bool().Draw(h.t, "sweep beside it") {
		h.sweep()
	}
	h.compare("held", h.x, v, g)
	h.compare("head beside it", h.x, h.view(h.head()), h.head())
}

func (h *history) head() *memory { return h.past[len(h.past)-1] }

func (h *history) sweep() { h.must(h.x.Sweep(h.t.Context(), h.view(h.head()))) }

func (h *history) reopen() {
	h.must(h.x.Close())
	x, err := index.Open(h.dir, index.Options{BatchBytes: 600}) // two rows or so in a batch
	h.must(err)
	h.must(x.Dropped())
	h.x = x
}

func (h *history) view(g *memory) *index.View {
	v, err := index.BuildView(h.t.Context(), g)
	h.must(err)
	return v
}

// compare searches in a view and in an index that has seen nothing but its generation.
func (h *history) compare(what string, x *index.Index, v *index.View, g *memory) {
	fresh, err := index.Open(h.tmp(), index.Options{})
	h.must(err)
	defer fresh.Close()
	h.must(fresh.Follow(h.t.Context(), nil, g))
	for _, text := range historyQueries {
		q := index.Query{Text: text, K: 20}
		want, err := fresh.Search(h.t.Context(), v, q)
		h.must(err)
		got, err := x.Search(h.t.Context(), v, q)
		h.must(err)
		if diff := cmp.Diff(want, got); diff != "" {
			h.t.Fatalf("%s: generation %d: %q (-fresh +got):\n%s", what, g.generation.Number, text, diff)
		}
	}
}

// The same tree gives the same matches in the same order with the same scores, to the last bit, whatever the index has
// held before and still holds for others (I8, I11).
func TestHistoryLeavesNoTrace(t *testing.T) {
	tmp := t.TempDir
	rapid.Check(t, func(t *rapid.T) {
		h := &history{t: t, tmp: tmp, dir: tmp(), shared: newShared(), files: map[string]string{}}
		x, err := index.Open(h.dir, index.Options{})
		h.must(err)
		h.x = x
		defer func() { h.x.Close() }()
		h.move()
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			rapid.SampledFrom([]func(){h.move, h.move, h.sweep, h.look, h.reopen}).Draw(t, "step")()
		}
		h.compare("before the sweep", h.x, h.view(h.head()), h.head())
		h.sweep()
		h.compare("after the sweep", h.x, h.view(h.head()), h.head())
	})
}

// Many long documents without the word that is asked for come and go, and the few short ones are ranked as ever.
func TestDeletedDocumentsDoNotRank(t *testing.T) {
	s := newShared()
	few := map[string]string{}
	for i := range 22 {
		few[fmt.Sprintf("n%02d.md", i)] = strings.Repeat("needle ", 1+i%5) + strings.Repeat("hay ", 3*i) + "\n\n"
	}
	all := map[string]string{}
	for path, text := range few {
		all[path] = text
	}
	for i := range 300 {
		all[fmt.Sprintf("long%03d.md", i)] = strings.Repeat("straw ", 250) + "\n\n"
	}
	x := open(t, t.TempDir())
	g1, g2 := s.files(all), s.files(few)
	follow(t, x, nil, g1)
	v := follow(t, x, g1, g2)
	fresh := open(t, t.TempDir())
	follow(t, fresh, nil, g2)
	want(t, "before the sweep", find(t, x, v, "needle"), find(t, fresh, v, "needle")...)
	if err := x.Sweep(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	want(t, "after the sweep", find(t, x, v, "needle"), find(t, fresh, v, "needle")...)
}

// A character stands for a bounded number of terms; those that only deleted documents had are none of them.
func TestDeadTermsTakeNoRoom(t *testing.T) {
	s := newShared()
	x := open(t, t.TempDir())
	last := map[string]string{"z.md": "東\u9fa5\n\n"} // behind all others in the order of terms
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, "東%c ", '\u4e00'+rune(i))
	}
	g1 := s.files(map[string]string{"a.md": many.String() + "\n\n", "z.md": last["z.md"]})
	g2 := s.files(last)
	follow(t, x, nil, g1)
	v := follow(t, x, g1, g2)
	want(t, "before the sweep", find(t, x, v, "東"), "z.md#0")
	if err := x.Sweep(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	want(t, "after the sweep", find(t, x, v, "東"), "z.md#0")
}
