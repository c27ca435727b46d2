package chunk_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/token"
	"github.com/cleave-project/cleave/sdk"
)

// sentences is n sentences of five words.
func sentences(n int) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("Sentence %d has five words.", i+1))
	}
	return strings.Join(out, " ")
}

func TestStructural(t *testing.T) {
	tests := []struct {
		name    string
		size    int
		overlap int
		doc     []node
		want    []string // embedding texts
	}{
		{"neighbours of a section join, sections do not", 20, 0,
			[]node{section("A", par("one two"), par("three four"), section("B", par("five six")))},
			[]string{"A\n# A\n\none two\n\nthree four", "A > B\n# B\n\nfive six"}},
		{"text outside of sections joins too", 20, 0,
			[]node{par("one two"), par("three"), section("A", par("four"))},
			[]string{"one two\n\nthree", "A\n# A\n\nfour"}},
		{"a heading without a body goes with the section after it, in a chain", 20, 0,
			[]node{section("A", section("B", section("C", par("text"))))},
			[]string{"A > B > C\n# A\n\n# B\n\n# C\n\ntext"}},
		{"also to a sibling", 20, 0,
			[]node{section("A"), section("B", par("text"))},
			[]string{"B\n# A\n\n# B\n\ntext"}},
		{"at the end it is a chunk of its own", 20, 0,
			[]node{section("A", par("text")), section("B")},
			[]string{"A\n# A\n\ntext", "B\n# B"}},
		{"a heading does not end a chunk: what follows is cut for it", 16, 0,
			[]node{section("A", par(sentences(3)))},
			[]string{"A\n# A\n\nSentence 1 has five words. Sentence 2 has five words.", "A\nSentence 3 has five words."}},
		{"or the breadcrumb gives way", 20, 0,
			[]node{section("A", section("B", par(sentences(3))))},
			[]string{"B\n# A\n\n# B\n\n" + sentences(3)}},
		{"a unit that fits is not cut", 12, 0,
			[]node{par(sentences(1)), par(sentences(2)), par(sentences(1))},
			[]string{"Sentence 1 has five words.", sentences(2), "Sentence 1 has five words."}},
		{"sentences before words", 8, 0,
			[]node{par("Sentence one. A b c d e f g h i j k l. Sentence three.")},
			[]string{"Sentence one.", "A b c d e f g", "h i j k l. Sentence three."}},
		{"whole sentences overlap", 11, 5,
			[]node{par("One has four words. Two has four words. Three has four words. Four has four words.")},
			[]string{"One has four words. Two has four words.", "Two has four words. Three has four words.", "Three has four words. Four has four words."}},
		{"no sentence that is more than the overlap", 11, 3,
			[]node{par("One has four words. Two has four words. Three has four words.")},
			[]string{"One has four words. Two has four words.", "Three has four words."}},
		{"lines of code stay whole, with their indentation", 8, 0,
			[]node{code("if a b c {\n    d e f\n    g h i\n}")},
			[]string{"if a b c {\n    d e f", "    g h i\n}"}},
		{"only pieces of a cut unit overlap", 9, 5,
			[]node{par("a b c d e."), par("f g h i j."), par("k l m n o.")},
			[]string{"a b c d e.", "f g h i j.", "k l m n o."}},
		{"items of a list that is cut do", 8, 4,
			[]node{list(sdk.KindList, leaf(sdk.KindItem, sdk.CutChildren, "- a b c"), leaf(sdk.KindItem, sdk.CutChildren, "- d e f"), leaf(sdk.KindItem, sdk.CutChildren, "- g h i"))},
			[]string{"- a b c\n- d e f", "- d e f\n- g h i"}},
		{"a lead-in stays with its list", 12, 0,
			[]node{par("x y z x y z x"), clinging(par("Take these:")), list(sdk.KindList, leaf(sdk.KindItem, sdk.CutChildren, "- a b c"), leaf(sdk.KindItem, sdk.CutChildren, "- d e f"))},
			[]string{"x y z x y z x", "Take these:\n\n- a b c\n- d e f"}},
		{"and with its first items when the list is cut", 10, 0,
			[]node{clinging(par("Take these:")), list(sdk.KindList, leaf(sdk.KindItem, sdk.CutChildren, "- a b c"), leaf(sdk.KindItem, sdk.CutChildren, "- d e f"), leaf(sdk.KindItem, sdk.CutChildren, "- g h i"))},
			[]string{"Take these:\n\n- a b c", "- d e f\n- g h i"}},
		{"as long as both fit", 8, 0,
			[]node{clinging(par("Take these two:")), list(sdk.KindList, leaf(sdk.KindItem, sdk.CutChildren, "- a b"), leaf(sdk.KindItem, sdk.CutChildren, "- d e"))},
			[]string{"Take these two:", "- a b\n- d e"}},
		{"nothing joins across a border", 20, 0,
			[]node{par("one"), border(par("two")), par("three"), par("four")},
			[]string{"one", "two", "three\n\nfour"}},
		{"not even a heading", 20, 0,
			[]node{section("A", border(par("one")), par("two"))},
			[]string{"A\n# A", "A\none", "A\ntwo"}},
		{"two definitions do not join, loose statements do", 30, 0,
			[]node{leaf(sdk.KindStatement, sdk.CutLines, "a"), leaf(sdk.KindStatement, sdk.CutLines, "b"),
				named("f", leaf(sdk.KindFunction, sdk.CutLines, "func f")), named("g", leaf(sdk.KindFunction, sdk.CutLines, "func g"))},
			[]string{"a\n\nb", "f\nfunc f", "g\nfunc g"}},
		{"a decorator clings to its definition", 30, 0,
			[]node{leaf(sdk.KindStatement, sdk.CutLines, "a"), clinging(leaf(sdk.KindComment, sdk.CutLines, "// f")), named("f", leaf(sdk.KindFunction, sdk.CutLines, "func f"))},
			[]string{"a", "f\n// f\n\nfunc f"}},
		{"turns join, one alone names its speaker", 8, 0,
			[]node{named("Ann", leaf(sdk.KindTurn, sdk.CutSentences, "Ann: a b")), named("Bob", leaf(sdk.KindTurn, sdk.CutSentences, "Bob: c d")), named("Ann", leaf(sdk.KindTurn, sdk.CutSentences, "Ann: e f g h"))},
			[]string{"Ann: a b\n\nBob: c d", "Ann\nAnn: e f g h"}},
		{"a heading too long to repeat is left out of the prefix", 16, 0,
			[]node{section("a b c d e f g", section("B", par("text")))},
			[]string{"B\n# a b c d e f g\n\n# B\n\ntext"}},
		{"a table that fits is whole", 30, 0,
			[]node{table("n | v", "a | 1", "b | 2")},
			[]string{"n | v\na | 1\nb | 2"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, got := packed(t, structural(tt.size, tt.overlap), write(tt.doc...))
			if d := cmp.Diff(tt.want, embedded(o, got)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestTarget(t *testing.T) {
	p := structural(20, 0)
	p.TargetTokens = 8
	o, got := packed(t, p, write(par("a b c d"), par("e f g h"), par("i j k l"), par(sentences(3))))
	want := []string{"a b c d\n\ne f g h", "i j k l", sentences(3)}
	if d := cmp.Diff(want, embedded(o, got)); d != "" {
		t.Error(d)
	}
}

func TestRefusals(t *testing.T) {
	long := write(named("big", leaf(sdk.KindFunction, sdk.CutLines, strings.Repeat("word\n", 50))))
	wide := write(table("h | "+strings.Repeat("header ", 40)+"x", "a | b"))
	reject := structural(20, 0)
	reject.Oversize = chunk.OversizeReject
	tests := []struct {
		name string
		p    object.Policy
		doc  *written
		code sdk.Code
		says []string
	}{
		{"oversize", reject, long, sdk.CodeOversizeRejected, []string{"function", "big", "50", "20"}},
		{"header", structural(20, 0), wide, sdk.CodeHeaderExceedsBudget, []string{"20"}},
		{"overlap", structural(32, 32), long, sdk.CodeInvalidConfig, []string{"overlap", "32"}},
		{"no tokens", structural(3, 0), long, sdk.CodeInvalidConfig, []string{"max_tokens", "3"}},
		{"strategy", object.Policy{Strategy: "semantic", MaxTokens: 30, Oversize: "split"}, long, sdk.CodeInvalidConfig, []string{"semantic"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := checked(t, []byte(tt.doc.text.String()), tt.doc.o)
			_, err := chunk.Pack(context.Background(), o, tt.p, token.Words{})
			var se *sdk.Error
			if !errors.As(err, &se) || se.Code != tt.code {
				t.Fatalf("got %v, want code %s", err, tt.code)
			}
			for _, s := range tt.says {
				if !strings.Contains(se.Message, s) {
					t.Errorf("%q does not say %q", se.Message, s)
				}
			}
		})
	}
}
