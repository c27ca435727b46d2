package chunk_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/outline"
	"github.com/cleave-project/cleave/core/token"
	"github.com/cleave-project/cleave/sdk"
)

// randomWords is n words of a made-up language, and a period.
func randomWords(r *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%c%c%c", 'a'+r.IntN(26), 'a'+r.IntN(26), 'a'+r.IntN(26))
	}
	return strings.ToUpper(b.String()[:1]) + b.String()[1:] + "."
}

// An edit changes the chunks around it and not all that follow: of a run of hundreds, one inserted piece changes a few.
func TestAnEditMovesFewCuts(t *testing.T) {
	const parts, trials = 600, 20
	join := map[string]func([]string) ([]byte, sdk.Outline){
		"paragraphs": func(s []string) ([]byte, sdk.Outline) {
			var nodes []node
			for _, p := range s {
				nodes = append(nodes, par(p))
			}
			w := write(nodes...)
			return []byte(w.text.String()), w.o
		},
		"rows": func(s []string) ([]byte, sdk.Outline) {
			for i := range s {
				s[i] = strings.Replace(s[i], " ", " | ", 1)
			}
			w := write(table(append([]string{"key | value"}, s...)...))
			return []byte(w.text.String()), w.o
		},
		"sentences": func(s []string) ([]byte, sdk.Outline) {
			w := write(par(strings.Join(s, " ")))
			return []byte(w.text.String()), w.o
		},
		"words": func(s []string) ([]byte, sdk.Outline) {
			w := write(par(strings.ReplaceAll(strings.Join(s, " "), ".", "")))
			return []byte(w.text.String()), w.o
		},
	}
	for name, of := range join {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			total, changed, worst := 0, 0, 0
			for range trials {
				var s []string
				for range parts {
					s = append(s, randomWords(r, 5+r.IntN(15)))
				}
				at := r.IntN(parts / 2)
				edited := append(append(append([]string(nil), s[:at]...), randomWords(r, 12)), s[at:]...)
				before, after := wordsOf(t, of, s), wordsOf(t, of, edited)
				n := 0
				for id := range after {
					if !before[id] {
						n++
					}
				}
				total, changed, worst = total+len(after), changed+n, max(worst, n)
			}
			t.Logf("%d of %d chunks changed in %d edits, at most %d in one", changed, total, trials, worst)
			if changed > 12*trials {
				t.Errorf("%d chunks changed in %d edits", changed, trials)
			}
		})
	}
}

func wordsOf(t *testing.T, of func([]string) ([]byte, sdk.Outline), s []string) map[object.ID]bool {
	raw, so := of(append([]string(nil), s...))
	got, err := chunk.Pack(context.Background(), checked(t, raw, so), structural(100, 0), token.Words{})
	if err != nil {
		t.Fatal(err)
	}
	ids := make(map[object.ID]bool)
	for _, c := range got.Chunks {
		ids[c.Words] = true
	}
	return ids
}

// Packing is measured apart from parsing: the tokenizer is most of it.
func BenchmarkPack(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var nodes []node
	for i := range 100 {
		s := section(fmt.Sprintf("Section %d", i))
		for range 10 {
			s.kids = append(s.kids, par(randomWords(r, 40)+" "+randomWords(r, 40)))
		}
		nodes = append(nodes, s)
	}
	w := write(nodes...)
	o, err := outline.Check(outline.Input{Raw: []byte(w.text.String())}, w.o)
	if err != nil {
		b.Fatal(err)
	}
	for _, tok := range tokenizers(b) {
		for _, p := range []object.Policy{structural(400, 0), structural(64, 16)} {
			b.Run(fmt.Sprintf("%s/%d-%d", tok.Name(), p.MaxTokens, p.Overlap), func(b *testing.B) {
				b.SetBytes(int64(len(o.Text)))
				for b.Loop() {
					if _, err := chunk.Pack(context.Background(), o, p, tok); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
