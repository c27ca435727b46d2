package chunk_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/outline"
	"github.com/cleave-project/cleave/core/text"
	"github.com/cleave-project/cleave/core/token"
	"github.com/cleave-project/cleave/sdk"
)

// What leads to a unit that is cut goes with its first piece, whatever the cut.
func TestLeadsGoWithTheFirstPiece(t *testing.T) {
	item := func(text string) node { return leaf(sdk.KindItem, sdk.CutChildren, text) }
	tests := []struct {
		name string
		size int
		doc  []node
		want []string
	}{
		{"columns of a header", 16,
			[]node{section("Limits", table("h1 x | h2 x | h3 x | h4 x | h5 x", "a | b"))},
			[]string{"Limits\n# Limits\n\nh1 x | h2 x | h3 x | h4 x |", "Limits\nh5 x", "Limits\nh1 x\nh2 x\na | b"}},
		{"a header row that fits alone", 12,
			[]node{section("Limits of all the countries", table("h1 x | h2 x | h3 x", "a | b | c"))},
			[]string{"# Limits of all the countries\n\nh1 x | h2 x |", "h3 x", "h1 x\nh2 x\na | b |", "h3 x\nc"}},
		{"cells of a row without header", 12,
			[]node{section("Limits", leaf(sdk.KindRow, sdk.CutCells, "a b c | d e f | g h i").with(" | "))},
			[]string{"Limits\n# Limits\n\na b c | d e f |", "Limits\ng h i"}},
		{"a part of a cell too large", 12,
			[]node{section("Limits", table("One two three. Four five six seven. Eight nine ten eleven twelve. | b"))},
			[]string{"Limits\n# Limits\n\nOne two three. Four five six seven.", "Limits\nEight nine ten eleven twelve. |", "Limits\nb"}},
		{"a caption and columns of a header", 16,
			[]node{clinging(par("Table 1: limits")), table("h1 x | h2 x | h3 x | h4 x | h5 x", "a | b")},
			[]string{"Table 1: limits\n\nh1 x | h2 x | h3 x | h4 x |", "h5 x", "h1 x\nh2 x\na | b"}},
		{"a heading and the items of a list that fits alone", 12,
			[]node{section("Limits", list(sdk.KindList, item("- a b c"), item("- d e f"), item("- g h i")))},
			[]string{"Limits\n# Limits\n\n- a b c\n- d e f", "Limits\n- g h i"}},
		{"a heading and a sentence of the first item", 10,
			[]node{section("Limits", list(sdk.KindList, item("- a b c. D e f g."), item("- d e f"), item("- g h i")))},
			[]string{"# Limits\n\n- a b c. D e f g.", "Limits\n- d e f\n- g h i"}},
		{"a long heading and a sentence", 15,
			[]node{section("Limits of all the countries of the world", par(sentences(2)))},
			[]string{"# Limits of all the countries of the world\n\nSentence 1 has five words.", "Sentence 2 has five words."}},
		{"not inside of a sentence, be it of two lines", 12,
			[]node{section("Limits of all the countries", par("a b c\nd e f g h i. J k."))},
			[]string{"# Limits of all the countries", "a b c\nd e f g h i. J k."}},
		{"nor of a line of code", 12,
			[]node{section("Limits of all the countries", code("a. b c d e f g h i\nj k"))},
			[]string{"# Limits of all the countries", "a. b c d e f g h i\nj k"}},
		{"but inside of one that must be cut", 12,
			[]node{section("Limits of all the countries", par("a b c d e f g h i j k l m n o p."))},
			[]string{"# Limits of all the countries\n\na b", "c d e f g h i j k l", "m n o p."}},
		{"a heading, and a caption too large itself", 12,
			[]node{section("Limits", clinging(par(sentences(3))), code("a b"))},
			[]string{"Limits\n# Limits\n\nSentence 1 has five words.", "Limits\nSentence 2 has five words. Sentence 3 has five words.", "Limits\na b"}},
		{"as few headings as must be are left behind", 16,
			[]node{section("One two three four", section("Five six seven eight", section("Nine ten", par(sentences(3)))))},
			[]string{"One two three four\n# One two three four", "Nine ten\n# Five six seven eight\n\n# Nine ten\n\nSentence 1 has five words.", "Nine ten\nSentence 2 has five words. Sentence 3 has five words."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, got := packed(t, structural(tt.size, 0), write(tt.doc...))
			if d := cmp.Diff(tt.want, embedded(o, got)); d != "" {
				t.Error(d)
			}
		})
	}
}

// verifyLeads: a chunk of nothing but whole headings and units that cling is there only if nothing follows them, or if
// the smallest piece they may have of what follows leaves no room.
func verifyLeads(t fataler, o *outline.Outline, p object.Policy, tok token.Tokenizer, got *chunk.Packed) {
	if p.Strategy != chunk.Structural {
		return
	}
	for i, c := range got.Chunks {
		l := leads{o: o, chunk: c, p: p, tok: tok}
		last := l.last()
		if last < 0 {
			continue
		}
		if i+1 < len(got.Chunks) {
			l.next = got.Chunks[i+1]
		}
		if end := l.follows(last); end > 0 {
			t.Fatalf("chunk %d is only %q, and there is room for %q", i, o.Text[c.Span.Start:c.Span.End], o.Text[c.Span.End:end])
		}
	}
}

// leads is a chunk that may be of leads only.
type leads struct {
	o           *outline.Outline
	chunk, next object.Chunk
	p           object.Policy
	tok         token.Tokenizer
	heading     bool
}

// isLead holds for headings, and for what clings to the next unit and is no definition of its own.
func isLead(u *outline.Unit) bool {
	return u.Kind == sdk.KindHeading || u.Clings && u.Kind != sdk.KindMethod
}

// last is the last lead of a chunk that holds nothing else; -1 for other chunks.
func (l *leads) last() int {
	at, last := l.chunk.Span.Start, -1
	for i := range l.o.Units {
		u := &l.o.Units[i]
		if !isLead(u) || u.Span.End <= at || u.Span.Start >= l.chunk.Span.End {
			continue
		}
		if u.Span.Start < l.chunk.Span.Start || u.Span.End > l.chunk.Span.End || l.ink(at, u.Span.Start) {
			return -1
		}
		at, last = u.Span.End, i
		l.heading = l.heading || u.Kind == sdk.KindHeading
	}
	if l.ink(at, l.chunk.Span.End) {
		return -1
	}
	return last
}

func (l *leads) ink(from, to int64) bool {
	return from < to && !sdk.Blank(l.o.Text[from:to])
}

// follows is where the smallest piece ends that the leads should have had with them; 0: they stand alone rightly.
func (l *leads) follows(last int) int64 {
	units := l.o.Units
	for i := units[last].End; i < len(units) && !l.wall(last, i); {
		u := &units[i]
		if l.opens(i) && (u.Kind == sdk.KindSection || units[last].Parent == u.Parent) && units[last].Kind == sdk.KindHeading {
			i++
			continue
		}
		if l.opens(i) || units[last].Kind != sdk.KindHeading && units[last].Parent != u.Parent {
			return 0
		}
		if isLead(u) {
			if units[last].Kind == sdk.KindHeading && u.Kind != sdk.KindHeading && units[last].Span.End <= l.chunk.Span.End {
				if end := l.piece(i); end > 0 {
					return end
				}
			}
			last, i = i, u.End
			continue
		}
		return l.piece(i)
	}
	return 0
}

// opens tells whether a unit is a section or holds a border or a skip.
func (l *leads) opens(i int) bool {
	u := &l.o.Units[i]
	for j := i; j < u.End; j++ {
		if l.o.Units[j].Kind == sdk.KindSection || j > i && l.o.Units[j].Border {
			return true
		}
	}
	for _, b := range l.o.Borders() {
		if b.Span.Start < u.Span.End && u.Span.Start < b.Span.End {
			return true
		}
	}
	return false
}

// wall tells whether there is a border between the end of one unit and the start of another.
func (l *leads) wall(a, b int) bool {
	for _, s := range l.o.Borders() {
		if l.o.Units[a].Span.End <= s.Span.Start && s.Span.End <= l.o.Units[b].Span.Start {
			return true
		}
	}
	for i := range l.o.Units {
		u := &l.o.Units[i]
		ends := u.Span.Start <= l.o.Units[a].Span.Start && u.Span.End >= l.o.Units[a].Span.End && u.Span.End <= l.o.Units[b].Span.Start
		if u.Border && (ends || i == b) {
			return true
		}
	}
	return false
}

// piece is where the smallest first piece of unit i ends if it fits behind the chunk, else 0.
func (l *leads) piece(i int) int64 {
	units, u := l.o.Units, &l.o.Units[i]
	start, room := u.Span.Start, ""
	if !l.heading && l.fits("", start, u.Span.End) || u.Cut == sdk.CutNever {
		for _, e := range append([]string{l.o.Title}, l.next.Breadcrumb...) {
			room += e + " > "
		}
		return l.fitting(room+"\n", u.Span.End)
	}
	for u.Cut == sdk.CutChildren && u.End > i+1 {
		i++
		u = &units[i]
		if isLead(u) { // it goes with what follows it here
			return 0
		}
	}
	end := u.Span.End
	switch {
	case len(u.Cells) > 0:
		end = l.firstCell(u)
	case u.Cut == sdk.CutLines:
		if n := bytes.IndexAny(l.o.Text[start:end], "\r\n"); n >= 0 {
			end = start + int64(n)
		}
	case u.Cut == sdk.CutSentences, u.Cut == sdk.CutChildren:
		for s := range text.Sentences(l.o.Text[start:end]) {
			end = start + int64(s.End)
			break
		}
	}
	if !l.fits("", start, end) || !text.IsGraphemeBoundary(l.o.Text, int(end)) {
		return 0
	}
	return l.fitting("", end)
}

// firstCell is where the first cell of a row ends that holds something.
func (l *leads) firstCell(u *outline.Unit) int64 {
	for j, c := range u.Cells[:len(u.Cells)-1] {
		if c.Span.Start < c.Span.End && !strings.HasPrefix(l.o.Units[u.Parent].Attr(sdk.AttrKeyColumns), string(rune('0'+j))) {
			return u.Cells[j+1].Span.Start
		}
	}
	return u.Span.End
}

func (l *leads) fitting(front string, end int64) int64 {
	if l.fits(front, l.chunk.Span.Start, end) {
		return end
	}
	return 0
}

func (l *leads) fits(front string, from, to int64) bool {
	return l.tok.Count([]byte(front+string(bytes.TrimRight(l.o.Text[from:to], " \t\r\n\v\f"))))+l.tok.Special() <= l.p.MaxTokens
}
