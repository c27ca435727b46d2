package token_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cleave-project/cleave/core/token"
)

// TestMergeLinear: merging takes at most three heap entries for each byte, for runs of all kinds and lengths.
func TestMergeLinear(t *testing.T) {
	tok := open(t, "o200k_base").(*token.BPE)
	for _, unit := range []string{"a", "ab", "qzjxkw", " ", "=", "世", "\u0301", "ACGT"} {
		for n := 10_000; n <= 40_000; n *= 2 {
			piece := []byte(strings.Repeat(unit, n/len(unit)))
			if steps := tok.MergeSteps(piece); steps > 3*len(piece) {
				t.Errorf("%q, %d bytes: %d steps", unit, len(piece), steps)
			}
		}
	}
}

// TestMergeWays: the two ways of merging give the same tokens.
func TestMergeWays(t *testing.T) {
	tok := open(t, "cl100k_base").(*token.BPE)
	rapid.Check(t, func(t *rapid.T) {
		piece := []byte(rapid.StringMatching(`[a-c]{1,12}|[a-zA-Zé世 =\n]{1,20}|(ab|ba|aa){1,40}`).Draw(t, "piece"))
		if d := cmp.Diff(tok.MergeShort(piece), tok.MergeLong(piece)); d != "" {
			t.Fatalf("%q: (-short +long)\n%s", piece, d)
		}
	})
}
