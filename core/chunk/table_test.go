package chunk_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/sdk"
)

func TestTables(t *testing.T) {
	type want struct {
		Text  string
		Attrs string // columns, then row or rows
	}
	tests := []struct {
		name    string
		size    int
		overlap int
		doc     []node
		want    []want
	}{
		{"pieces repeat the header and know their rows", 10, 0,
			[]node{table("n | v", "a | 1", "c | d", "e | f", "g | h")},
			[]want{{"n | v\na | 1\nc | d", `["n","v"] 1-2`}, {"n | v\ne | f\ng | h", `["n","v"] 3-4`}}},
		{"rows overlap whole", 12, 3,
			[]node{table("n | v", "a | 1", "c | d", "e | f", "g | h")},
			[]want{{"n | v\na | 1\nc | d", `["n","v"] 1-2`}, {"n | v\nc | d\ne | f\ng | h", `["n","v"] 2-4`}}},
		{"a row too wide is cut by columns, with header and key cells", 16, 0,
			[]node{table("id | aa | bb | cc", "k | 1 2 3 4 | 5 6 7 8 | 9")},
			[]want{{"id | aa | bb | cc", `["id","aa","bb","cc"] `}, {"id\naa\nk | 1 2 3 4 |", `["id","aa"] 1`}, {"id\nbb\ncc\nk\n5 6 7 8 | 9", `["bb","cc"] 1`}}},
		{"a cell too large is cut by sentences, with its header and key cells", 12, 0,
			[]node{table("id | body", "k | One two three four. Five six seven eight. And nine.", "m | short")},
			[]want{{"id | body", `["id","body"] `}, {"id\nbody\nk | One two three four. Five six seven eight.", `["id","body"] 1`}, {"id\nbody\nk\nAnd nine.", `["body"] 1`}, {"id | body\nm | short", `["id","body"] 2`}}},
		{"a header that does not fit names only the columns at hand", 12, 0,
			[]node{table("h1 x | h2 x | h3 x | h4 x | h5 x", "a | b | c | d | e")},
			[]want{{"h1 x | h2 x | h3 x | h4 x |", `["h1 x","h2 x","h3 x","h4 x"] `}, {"h5 x", `["h5 x"] `}, {"h1 x\nh2 x\na | b |", `["h1 x","h2 x"] 1`}, {"h3 x\nh4 x\nc | d |", `["h3 x","h4 x"] 1`}, {"h5 x\ne", `["h5 x"] 1`}}},
		{"a header that is cheap is repeated whole, beside the cells of the columns", 36, 0,
			[]node{table("id | body | x", "k | "+sentences(10)+" | y")},
			[]want{{"id | body | x", `["id","body","x"] `},
				{"id | body | x\nbody\nk | " + sentences(4), `["id","body"] 1`},
				{"id | body | x\nbody\nk\n" + strings.TrimPrefix(sentences(9), sentences(4)+" "), `["body"] 1`},
				{"id | body | x\nbody\nk\n" + strings.TrimPrefix(sentences(10), sentences(9)+" ") + " |", `["body"] 1`},
				{"id | body | x\nx\nk\ny", `["x"] 1`}}},
		{"a whole table has all its rows", 30, 0,
			[]node{table("n | v", "a | 1", "b | 2")},
			[]want{{"n | v\na | 1\nb | 2", `["n","v"] 1-2`}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, chunks := packed(t, structural(tt.size, tt.overlap), write(tt.doc...))
			var got []want
			for i, e := range embedded(o, chunks) {
				a := chunks[i].Attrs
				got = append(got, want{e, a["columns"] + " " + a["rows"] + a["row"]})
				if chunks[i].Kind != string(sdk.KindTable) {
					t.Errorf("%q is of kind %s", e, chunks[i].Kind)
				}
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// Every cell is embedded with its column's name, and with its row's key unless the key is too large (A9).
func TestCellsKeepTheirColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols, rows := rapid.IntRange(1, 12).Draw(t, "columns"), rapid.IntRange(1, 12).Draw(t, "rows")
		line := func(cell func(c int) string) string {
			var cells []string
			for c := range cols {
				cells = append(cells, cell(c))
			}
			return strings.Join(cells, " | ")
		}
		lines := []string{line(func(c int) string { return fmt.Sprintf("H%d", c) })}
		for r := range rows {
			lines = append(lines, line(func(c int) string {
				n := rapid.IntRange(0, 12).Draw(t, "words")
				return strings.TrimSpace(fmt.Sprintf("r%dc%d ", r, c) + strings.Repeat("w ", n))
			}))
		}
		w := write(table(lines...))
		o := checked(t, []byte(w.text.String()), w.o)
		tok := rapid.SampledFrom(tokenizers(&testing.T{})).Draw(t, "tokenizer")
		p := structural(rapid.IntRange(60, 120).Draw(t, "size"), 0)
		got, err := chunk.Pack(context.Background(), o, p, tok)
		if err != nil {
			t.Fatal(err)
		}
		verify(t, o, p, tok, got)
		for _, c := range got.Chunks {
			text := string(chunk.EmbedText(o.Title, o.Titled, c, o.Text))
			words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" |\n", r) })
			for _, word := range words {
				var r, col int
				if n, _ := fmt.Sscanf(word, "r%dc%d", &r, &col); n != 2 {
					continue
				}
				if !slices.Contains(words, fmt.Sprintf("H%d", col)) || !slices.Contains(words, fmt.Sprintf("r%dc0", r)) {
					t.Fatalf("%s stands without its header or key: %q", word, text)
				}
			}
		}
	})
}
