package index_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cleave-project/cleave/core/index"
	"github.com/cleave-project/cleave/core/object"
)

func TestSearchFinds(t *testing.T) {
	s := newShared()
	x := open(t, t.TempDir())
	v := follow(t, x, nil, s.files(map[string]string{
		"camel.go":      "func getUserName() string\n\n",
		"snake.py":      "def get_user_name():\n\n",
		"prose.md":      "The user has a name. Users get names.\n\n",
		"zh.md":         "数据库索引的更新策略\n\n",
		"ja.md":         "東京タワーの高さは333メートル。猫\n\n",
		"ko.md":         "데이터베이스 색인\n\n",
		"guide.md":      "# Rotating certificates\n\nRun the command every month.\n\n",
		"install/db.md": "Nothing to see.\n\n",
		"café.md":       "Un résumé naïf\n\n",
	}))
	for _, test := range []struct {
		query string
		first []string // these take the first places, in any order
	}{
		{"getUserName", []string{"camel.go", "snake.py"}},
		{"get_user_name", []string{"camel.go", "snake.py"}},
		{"get-user-name", []string{"camel.go", "snake.py"}},
		{"索引", []string{"zh.md"}},
		{"更新策略", []string{"zh.md"}},
		{"猫", []string{"ja.md"}},
		{"高", []string{"ja.md"}},
		{"タワー", []string{"ja.md"}},
		{"데이터베이스", []string{"ko.md"}},
		{"certificate rotation", []string{"guide.md"}},
		{"install", []string{"install/db.md"}},
		{"resume naif", []string{"café.md"}},
	} {
		got := find(t, x, v, test.query)
		if len(got) < len(test.first) {
			t.Errorf("%s: got %v", test.query, got)
			continue
		}
		top := strings.Join(got[:len(test.first)], " ")
		for _, path := range test.first {
			if !strings.Contains(top, path+"#") {
				t.Errorf("%s: got %v, want %s first", test.query, got, test.first)
			}
		}
	}
	want(t, "stop words alone", find(t, x, v, "the of and"))
	want(t, "no words", find(t, x, v, " ... "))
}

// What is refused takes no place in the answer, whatever its rank (I10).
func TestAdmissionComesBeforeRanking(t *testing.T) {
	s := newShared()
	x := open(t, t.TempDir())
	files := map[string]string{}
	for i := range 50 {
		files[fmt.Sprintf("secret/%02d", i)] = "plan plan plan\n\n"
	}
	files["open"] = "a plan among many other words that make it rank behind all the others\n\n"
	v := follow(t, x, nil, s.files(files))
	asked := map[object.Path]int{}
	matches, err := x.Search(t.Context(), v, index.Query{Text: "plan", K: 3, Admit: func(d *index.Document) bool {
		asked[d.Path]++
		return d.Path == "open"
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(matches) != 1 || matches[0].Path != "open" {
		t.Errorf("got %+v, want only the open document", matches)
	}
	for path, n := range asked {
		if n != 1 {
			t.Errorf("%s was asked about %d times", path, n)
		}
	}
}

func TestChunkFilter(t *testing.T) {
	s := newShared()
	x := open(t, t.TempDir())
	v := follow(t, x, nil, s.files(map[string]string{"a": "apple pie\n\n    apple()\n\napple pie\n\n"}))
	matches, err := x.Search(t.Context(), v, index.Query{Text: "apple", K: 9, Chunk: func(kind, _ string) bool { return kind == "code" }})
	if err != nil || len(matches) != 1 || matches[0].Chunk != 1 {
		t.Errorf("got %+v, %v; want chunk 1", matches, err)
	}
	matches, err = x.Search(t.Context(), v, index.Query{Text: "apple", K: 9})
	if err != nil || len(matches) != 2 {
		t.Errorf("got %+v, %v; want two: chunks of equal words are one match", matches, err)
	}
}

func TestTiesAndExplain(t *testing.T) {
	s := newShared()
	x := open(t, t.TempDir())
	v := follow(t, x, nil, s.files(map[string]string{"c": "same words\n\n", "a": "same words\n\n", "b": "same words\n\n"}))
	want(t, "ties are ordered by path", find(t, x, v, "same"), "a#0", "b#0", "c#0")
	matches, err := x.Search(t.Context(), v, index.Query{Text: "same words", K: 2, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	var a, b float64
	if _, err := fmt.Sscanf(matches[0].Why, "text:same %f + text:word %f", &a, &b); err != nil {
		t.Fatalf("explanation %q: %v", matches[0].Why, err)
	}
	if d := a + b - matches[0].Score; d > 0.02 || d < -0.02 {
		t.Errorf("explanation %q does not add up to %v", matches[0].Why, matches[0].Score)
	}
}

func TestSearchEnds(t *testing.T) {
	s := newShared()
	x := open(t, t.TempDir())
	v := follow(t, x, nil, s.files(map[string]string{"a": "apple\n\n"}))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Search(ctx, v, index.Query{Text: "apple", K: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want canceled", err)
	}
	want(t, "a pasted page", find(t, x, v, strings.Repeat("apple pear plum x1 x2 x3 ", 10_000)), "a#0")
}

// Readers beside a writer see all of one generation and nothing of another (I9). In each generation every document says
// the number of the generation, and nothing else changes.
func TestReadersDuringFollow(t *testing.T) {
	const documents, generations = 20, 15
	s := newShared()
	x := open(t, t.TempDir())
	name := func(n int) string { return "gen" + strings.Repeat("x", n) }
	texts := func(n int) *memory {
		files := map[string]string{}
		for i := range documents {
			files[fmt.Sprintf("%02d", i)] = "common " + name(n) + "\n\n"
		}
		return s.files(files)
	}
	type head struct {
		n    int
		hold *index.Hold
	}
	var mu sync.Mutex
	var now head
	publish := func(n int, v *index.View) *index.Hold {
		hold, err := x.Hold(v)
		if err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		defer mu.Unlock()
		old := now.hold
		now = head{n, hold}
		return old
	}
	g := texts(1)
	publish(1, follow(t, x, nil, g))
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				mu.Lock()
				h := now
				pinned, err := x.Hold(h.hold.View())
				mu.Unlock()
				if errors.Is(err, index.ErrBehind) {
					continue // the mark has moved, the head follows
				}
				for _, word := range []string{"common", name(h.n)} {
					matches, err := pinned.Search(t.Context(), index.Query{Text: word, K: 100})
					if err != nil || len(matches) != documents {
						t.Errorf("generation %d, %s: %d matches, %v; want %d", h.n, word, len(matches), err, documents)
					}
				}
				pinned.Release()
			}
		})
	}
	for n := 2; n <= generations; n++ {
		next := texts(n)
		v := follow(t, x, g, next)
		publish(n, v).Release()
		if err := x.Sweep(t.Context(), v); err != nil {
			t.Error(err)
		}
		g = next
	}
	close(done)
	readers.Wait()
}

// Two indexes that share their statistics score as one index of all rows would.
func TestStatisticsAddUp(t *testing.T) {
	one := map[string]string{"a": "apple tree\n\n", "b": "plum tree\n\n", "c": "猫 apple apple\n\n"}
	two := map[string]string{"d": "apple jam\n\n", "e": "a rare damson\n\n", "f": "plum jam plum\n\n"}
	const question = "apple plum damson 猫"
	held := func(files map[string]string) *index.Hold {
		s := newShared()
		x := open(t, t.TempDir())
		h, err := x.Hold(follow(t, x, nil, s.files(files)))
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	scores := func(h *index.Hold, s *index.Statistics, into map[object.Path]float64) {
		matches, err := h.Search(t.Context(), index.Query{Text: question, K: 10, Statistics: s})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range matches {
			into[m.Path] = m.Score
		}
	}
	a, b := held(one), held(two)
	sum, err := a.Statistics(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	other, err := b.Statistics(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	sum.Add(other)
	got, want := map[object.Path]float64{}, map[object.Path]float64{}
	scores(a, sum, got)
	scores(b, sum, got)
	all := maps.Clone(one)
	maps.Copy(all, two)
	scores(held(all), nil, want)
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		t.Errorf("scores (-one index +two):\n%s", diff)
	}
}
