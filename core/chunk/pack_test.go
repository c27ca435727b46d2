package chunk_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/outline"
	"github.com/cleave-project/cleave/core/text"
	"github.com/cleave-project/cleave/core/token"
	"github.com/cleave-project/cleave/sdk"
)

// tokenizers is one of each kind; the WordPiece vocabulary is a small one of ours.
func tokenizers(t testing.TB) []token.Tokenizer {
	t.Helper()
	vocab := "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\npump\nvalve\nopen\n##es\n.\n,\n!\n?\n"
	for c := 'a'; c <= 'z'; c++ {
		vocab += fmt.Sprintf("%c\n##%c\n", c, c)
	}
	wp, err := token.ParseWordPiece("wordpiece:test", []byte(vocab))
	if err != nil {
		t.Fatal(err)
	}
	toks := []token.Tokenizer{token.Words{}, wp}
	for _, name := range []string{"cl100k_base", "o200k_base"} {
		tok, err := token.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		toks = append(toks, tok)
	}
	return toks
}

func structural(size, overlap int) object.Policy {
	return object.Policy{Strategy: chunk.Structural, MaxTokens: size, Overlap: overlap, Tokenizer: "x", Oversize: chunk.OversizeSplit}
}

func checked(t fataler, raw []byte, o sdk.Outline) *outline.Outline {
	c, err := outline.Check(outline.Input{Raw: raw, Takes: sdk.InputText}, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// verify holds a packing against what the package promises.
func verify(t fataler, o *outline.Outline, p object.Policy, tok token.Tokenizer, got *chunk.Packed) {
	covered := make([]bool, len(o.Text))
	for _, s := range o.Borders() {
		for i := s.Span.Start; i < s.Span.End; i++ {
			covered[i] = true
		}
	}
	var last object.Span
	for i, c := range got.Chunks {
		s := c.Span
		if s.Start < 0 || s.End > int64(len(o.Text)) || s.Start >= s.End {
			t.Fatalf("chunk %d: range %v of %d", i, s, len(o.Text))
		}
		body := o.Text[s.Start:s.End]
		if !utf8.Valid(body) || sdk.Blank(body) {
			t.Fatalf("chunk %d: %q", i, body)
		}
		if bytes.ContainsAny(body[len(body)-1:], " \t\r\n") || body[0] == '\n' || body[0] == '\r' {
			t.Fatalf("chunk %d has white space at its ends: %q", i, body)
		}
		if i > 0 && (s.Start <= last.Start || s.End <= last.End) {
			t.Fatalf("chunk %d: %v does not advance from %v", i, s, last)
		}
		if i > 0 && s.Start < last.End {
			if n := tok.Count(o.Text[s.Start:last.End]); n > p.Overlap {
				t.Fatalf("chunk %d repeats %d tokens, overlap is %d: %q", i, n, p.Overlap, o.Text[s.Start:last.End])
			}
		}
		embedded := chunk.EmbedText(o.Title, o.Titled, c, o.Text)
		if n := tok.Count(embedded) + tok.Special(); n > p.MaxTokens || n != c.Tokens {
			t.Fatalf("I5: chunk %d has %d tokens, says %d, budget %d: %q", i, n, c.Tokens, p.MaxTokens, embedded)
		}
		if object.Sum(embedded) != c.EmbedHash {
			t.Fatalf("chunk %d: embed hash", i)
		}
		if first := 1 + breaks(o.Text[:s.Start]); c.StartLine != first || c.EndLine != first+breaks(body) {
			t.Fatalf("chunk %d: lines %d-%d, starts on %d: %q", i, c.StartLine, c.EndLine, first, body)
		}
		for _, at := range []int64{s.Start, s.End} {
			if cutsCluster(o.Text, int(at)) && clusterFits(o.Text, int(at), c, p, tok) {
				t.Fatalf("A6: chunk %d is cut inside a cluster at %d: %q", i, at, o.Text[max(0, at-20):min(int64(len(o.Text)), at+20)])
			}
		}
		for at := s.Start; at < s.End; at++ {
			covered[at] = true
		}
		for _, b := range o.Borders() {
			if b.Span.Start < s.End && s.Start < b.Span.End {
				t.Fatalf("chunk %d holds a skipped span", i)
			}
		}
		last = s
	}
	for i, r := range string(o.Text) {
		if !covered[i] && !sdk.IsSpace(r) {
			t.Fatalf("I6: byte %d is nowhere: %q", i, o.Text[max(0, i-30):min(len(o.Text), i+30)])
		}
	}
}

// breaks counts the lines that end in text, by LF, CRLF or a lone CR.
func breaks(text []byte) int {
	return bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte("\r")) - bytes.Count(text, []byte("\r\n"))
}

// cutsCluster tells whether a place is inside a grapheme cluster, and more than a blank of it lies behind: characters
// that go before others (GCB=Prepend) make clusters with a blank, which a chunk leaves out at its end.
func cutsCluster(txt []byte, at int) bool {
	start := text.GraphemeBoundary(txt, at)
	if start == at {
		return false
	}
	for g := range text.Graphemes(txt[start:min(len(txt), start+8<<10)]) {
		return !sdk.Blank(txt[at:max(at, start+g.End)])
	}
	return true
}

// clusterFits tells whether the cluster around at would fit with nothing but the headers of its chunk.
func clusterFits(txt []byte, at int, c object.Chunk, p object.Policy, tok token.Tokenizer) bool {
	start := text.GraphemeBoundary(txt, at)
	all := []byte{}
	for _, x := range c.Context {
		if x.Role == string(sdk.RoleHeader) {
			all = append(append(all, txt[x.Span.Start:x.Span.End]...), '\n')
		}
	}
	for g := range text.Graphemes(txt[start:min(len(txt), start+8<<10)]) {
		return tok.Count(append(all, txt[start:start+g.End]...))+tok.Special() <= p.MaxTokens
	}
	return true
}

func TestPackKeepsItsPromises(t *testing.T) { rapid.Check(t, promises(tokenizers(t))) }

func FuzzPack(f *testing.F) { f.Fuzz(rapid.MakeFuzz(promises(tokenizers(f)))) }

// promises packs any document under any policy, twice.
func promises(toks []token.Tokenizer) func(*rapid.T) {
	return func(t *rapid.T) {
		raw, so := document(t)
		o := checked(t, raw, so)
		tok := rapid.SampledFrom(toks).Draw(t, "tokenizer")
		p := structural(rapid.IntRange(16, 200).Draw(t, "size"), 0)
		p.Strategy = rapid.SampledFrom([]string{chunk.Structural, chunk.Structural, chunk.Recursive, chunk.Fixed}).Draw(t, "strategy")
		p.Overlap = rapid.IntRange(0, p.MaxTokens/2).Draw(t, "overlap")
		if rapid.Bool().Draw(t, "aimed") {
			p.TargetTokens = rapid.IntRange(1, p.MaxTokens).Draw(t, "target")
		}
		got, err := chunk.Pack(context.Background(), o, p, tok)
		if err != nil {
			if strings.HasPrefix(err.Error(), string(sdk.CodeHeaderExceedsBudget)) {
				t.Skip(err)
			}
			t.Fatal(err)
		}
		verify(t, o, p, tok, got)
		verifyStructure(t, o, p, got)
		verifyLeads(t, o, p, tok, got)
		again, err := chunk.Pack(context.Background(), checked(t, raw, so), p, tok)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(got, again); d != "" {
			t.Fatalf("I7: %s", d)
		}
	}
}

// verifyStructure holds a structural packing against the rules of sections, headers and overlap.
func verifyStructure(t fataler, o *outline.Outline, p object.Policy, got *chunk.Packed) {
	if p.Strategy != chunk.Structural {
		return
	}
	for i, c := range got.Chunks {
		var bodies []string
		for _, u := range o.Units {
			inside := u.Span.Start < c.Span.End && c.Span.Start < u.Span.End
			if inside && u.Kind != sdk.KindHeading && leafSection(o, u) != "" {
				bodies = append(bodies, leafSection(o, u))
			}
			if inside && u.Kind == sdk.KindRow {
				verifyRow(t, o, u, i, c)
			}
		}
		for _, b := range bodies {
			if b != bodies[0] {
				t.Fatalf("chunk %d holds text of the sections %q and %q", i, b, bodies[0])
			}
		}
		if i > 0 && c.Span.Start < got.Chunks[i-1].Span.End {
			verifyOverlap(t, o, c.Span.Start, got.Chunks[i-1].Span)
		}
	}
}

// leafSection is the name of the innermost section around a unit that has no children; empty for others.
func leafSection(o *outline.Outline, u outline.Unit) string {
	if i := u.Parent; u.Kind != sdk.KindSection && (i < 0 || o.Units[i].Kind == sdk.KindSection) {
		for ; i >= 0; i = o.Units[i].Parent {
			if o.Units[i].Kind == sdk.KindSection {
				return o.Units[i].Name
			}
		}
		return "none"
	}
	return ""
}

// verifyRow: a chunk with a part of a row holds or repeats the header, or at least header cells (A9).
func verifyRow(t fataler, o *outline.Outline, row outline.Unit, i int, c object.Chunk) {
	header := o.Units[row.Parent].Context[0].Span
	if row.Span.Start < header.End || c.Span.Start < header.End {
		return
	}
	for _, x := range c.Context {
		if x.Role == string(sdk.RoleHeader) {
			return
		}
	}
	for j, h := range o.Units[row.Parent+1].Cells {
		if cell := row.Cells[j].Span; h.Span.Start < h.Span.End && cell.Start < cell.End && cell.Start < c.Span.End && c.Span.Start < cell.End {
			t.Fatalf("chunk %d has a cell of column %d without its header", i, j)
		}
	}
}

// verifyOverlap: what is repeated begins where a sentence, a line or a unit does (A4).
func verifyOverlap(t fataler, o *outline.Outline, at int64, before object.Span) {
	if lineStart := bytes.TrimRight(o.Text[:at], " \t"); len(lineStart) == 0 || bytes.ContainsAny(lineStart[len(lineStart)-1:], "\r\n") {
		return
	}
	for _, u := range o.Units {
		if u.Span.Start == at {
			return
		}
		if u.Span.Start < at && at < u.Span.End && u.End > 0 {
			for s := range text.Sentences(o.Text[u.Span.Start:u.Span.End]) {
				if u.Span.Start+int64(s.Start) == at {
					return
				}
			}
		}
	}
	for _, cell := range cells(o) {
		for s := range text.Sentences(o.Text[cell.Start:cell.End]) {
			if cell.Start+int64(s.Start) == at {
				return
			}
		}
	}
	t.Fatalf("the overlap begins inside a sentence: %q", o.Text[max(0, at-20):before.End])
}

func cells(o *outline.Outline) []object.Span {
	var out []object.Span
	for _, u := range o.Units {
		for _, c := range u.Cells {
			if c.Span.Start < c.Span.End {
				out = append(out, c.Span)
			}
		}
	}
	return out
}

// FuzzPackText packs any text, with one unit around it or none.
func FuzzPackText(f *testing.F) {
	toks := tokenizers(f)
	f.Add("Hello. A world of words.\n\n  And more\u0301 👩‍👩‍👧‍👦", uint8(8), uint8(3), uint8(0))
	f.Add("000000 \u200d👩\u200d👧\u200d👦", uint8(8), uint8(0), uint8(0))                        // a blank that a joiner makes part of a cluster
	f.Add("0000000000000000000000000\n  👩\u200d👩\u200d👧\u200d👦", uint8(1), uint8(3), uint8(0)) // a cluster that fits without its indentation
	f.Add("word \u2029\u00a0\u2028 \ufeff\n\n\ufeff\u2029 word", uint8(1), uint8(0), uint8(2)) // space that is not ASCII
	f.Add("o!Celworld AA word \"\n\n  Aad more\u0601 👩\u200d", uint8(0), uint8(1), uint8('B')) // a character that makes a cluster with the blank behind it
	f.Add("²\r·", uint8(0x8f), uint8(1), uint8(17))                                            // a line that ends with CR
	f.Add("\f\f\f\f\U00011369\u20df\U0001c71c눍", uint8(0), uint8(0), uint8(0xf7))              // a cluster that fits without title and indentation
	f.Add("\f\f\f \U00011369\u20df\U0001c71c눍", uint8(0), uint8(0), uint8(0xf7))               // of which a blank is part
	f.Add("\u2000\U000119df⯯\U000119df⍀", uint8(0), uint8(6), uint8(3))                        // a text that begins with such a cluster
	f.Fuzz(func(t *testing.T, s string, size, overlap, how uint8) {
		so := sdk.Outline{Title: "A title"}
		if cut := sdk.Cuts()[int(how>>3)%len(sdk.Cuts())]; s != "" && how&4 != 0 {
			so.Units = []sdk.Unit{{Kind: sdk.KindParagraph, Cut: cut, Span: sdk.Span{End: len(s)}}}
		}
		if !utf8.ValidString(s) {
			t.Skip()
		}
		o := checked(t, []byte(s), so)
		p := structural(10+int(size), int(overlap))
		p.Strategy = []string{chunk.Structural, chunk.Recursive, chunk.Fixed, chunk.Structural}[how&3]
		for _, tok := range toks {
			got, err := chunk.Pack(context.Background(), o, p, tok)
			if p.Overlap >= p.MaxTokens-tok.Special() {
				if err == nil {
					t.Fatal("an overlap without room was accepted")
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			verify(t, o, p, tok, got)
		}
	})
}

// fataler is what rapid's and testing's T have in common here.
type fataler interface {
	Fatal(...any)
	Fatalf(string, ...any)
}
