package index_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cleave-project/cleave/core/index"
	"github.com/cleave-project/cleave/core/object"
)

// Any history of views ends in the view that is built from scratch, and so does the index (I8, I11).
func TestAdvanceEqualsBuild(t *testing.T) {
	words := []string{"apple", "banana", "cherry", "damson", "elder", "fig"}
	rapid.Check(t, func(r *rapid.T) {
		s := newShared()
		x, err := index.Open(t.TempDir(), index.Options{})
		if err != nil {
			r.Fatal(err)
		}
		defer x.Close()
		files := map[object.Path]object.Entry{}
		g := s.publish(files)
		view, err := index.BuildView(t.Context(), g)
		if err != nil {
			r.Fatal(err)
		}
		if err := x.Follow(t.Context(), nil, g); err != nil {
			r.Fatal(err)
		}
		for range rapid.IntRange(1, 5).Draw(r, "generations") {
			for range rapid.IntRange(0, 4).Draw(r, "edits") {
				path := object.Path(rapid.SampledFrom([]string{"a", "b", "c/d", "\xff"}).Draw(r, "path"))
				text := ""
				for range rapid.IntRange(0, 3).Draw(r, "paragraphs") {
					text += rapid.SampledFrom(words).Draw(r, "word") + "\n\n"
				}
				switch rapid.IntRange(0, 3).Draw(r, "edit") {
				case 0:
					delete(files, path)
				case 1:
					if e, ok := files[path]; ok {
						e.Modified++
						files[path] = e
					}
				default:
					files[path] = s.put(text)
				}
			}
			next := s.publish(files)
			if view, err = view.Advance(t.Context(), next); err != nil {
				r.Fatal(err)
			}
			if err := x.Follow(t.Context(), g, next); err != nil {
				r.Fatal(err)
			}
			g = next
		}
		fresh, err := index.BuildView(t.Context(), g)
		if err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(fresh.Contents(), view.Contents(), cmp.Exporter(index.Ours)); diff != "" {
			r.Errorf("advanced view differs (-fresh +advanced):\n%s", diff)
		}
		if view.Rows() != fresh.Rows() || view.Documents() != fresh.Documents() {
			r.Errorf("advanced: %d rows, %d documents; fresh: %d, %d",
				view.Rows(), view.Documents(), fresh.Rows(), fresh.Documents())
		}
		if err := x.Sweep(t.Context(), view); err != nil {
			r.Fatal(err)
		}
		if n, _ := x.Rows(); n != fresh.Rows() {
			r.Errorf("%d rows in the index, %d in the view", n, fresh.Rows())
		}
		for _, word := range words {
			checkFound(r, x, view, files, s, word)
		}
	})
}

// checkFound compares a search with a look at the texts.
func checkFound(r *rapid.T, x *index.Index, v *index.View, files map[object.Path]object.Entry, s *shared, word string) {
	want := map[object.Path]bool{}
	for path, e := range files {
		for _, c := range s.chunks[e.Doc] {
			if string(s.texts[e.Doc][c.Span.Start:c.Span.End]) == word+"\n\n" {
				want[path] = true
			}
		}
	}
	matches, err := x.Search(r.Context(), v, index.Query{Text: word, K: 100})
	if err != nil {
		r.Fatal(err)
	}
	got := map[object.Path]bool{}
	for _, m := range matches {
		got[m.Path] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		r.Errorf("%s (-want +got):\n%s", word, diff)
	}
}

// A view of 100,000 documents and 300,000 chunks moves by one document in less than 50 ms.
func TestAdvanceIsCheap(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a large view")
	}
	s := newShared()
	files := map[object.Path]object.Entry{}
	same := s.put("one\n\ntwo\n\nthree\n\n")
	for i := range 100_000 {
		files[object.Path(fmt.Sprintf("%06d.md", i))] = same
	}
	g := s.publish(files)
	view, err := index.BuildView(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	if view.Rows() != 300_000 {
		t.Fatalf("got %d rows, want 300,000", view.Rows())
	}
	one := &oneChange{g, object.Change{Path: "000001.md", Old: &same, New: new(s.put("other\n\n"))}}
	start := time.Now()
	const times = 20
	for range times {
		if view, err = view.Advance(t.Context(), one); err != nil {
			t.Fatal(err)
		}
	}
	took := time.Since(start) / times
	t.Logf("an advance by one document: %v", took)
	if took > 50*time.Millisecond {
		t.Errorf("an advance took %v, want at most 50 ms", took)
	}
}

func TestParseDate(t *testing.T) {
	day := time.Date(2024, 3, 9, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"2024-03-09": day, `"2024-03-09"`: day, "2024/03/09": day, "March 9, 2024": day, "9 Mar 2024": day,
		"2024-03-09T10:00:00+02:00": day.Add(8 * time.Hour), "2024-03-09 10:30:00": day.Add(10*time.Hour + 30*time.Minute),
		"2024": time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), "": {}, "soon": {}, "2024-13-01": {},
	} {
		got, ok := index.ParseDate(text)
		if !got.Equal(want) || ok == want.IsZero() {
			t.Errorf("%q: got %v, %v; want %v", text, got, ok, want)
		}
	}
}
