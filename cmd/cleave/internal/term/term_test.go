package term_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cleave-project/cleave/cmd/cleave/internal/term"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain name.md":      "plain name.md",
		"Übersicht 日本 👩‍👩‍👧": "Übersicht 日本 👩‍👩‍👧", // joiners belong to emoji
		"a\nb\tc\rd":         `a\nb\tc\rd`,
		"\x1b[2J\x00\x7f":    `\x1b[2J\x00\x7f`,
		"c1 \u0085\u009b":    `c1 \u0085\u009b`,
		"bad \xff\xc3":       `bad \xff\xc3`,
		"x\u202egpj.exe":     `x\u202egpj.exe`,
		"tag\U000e0041":      `tag\U000e0041`,
		"\ufeffbom\u2028":    `\ufeffbom\u2028`,
	} {
		if got := term.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestCleanIsSafe: whatever comes in, no byte that a terminal acts on comes out (W25).
func TestCleanIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := string(rapid.SliceOf(rapid.Byte()).Draw(t, "in"))
		out := term.Clean(in)
		if !utf8.ValidString(out) {
			t.Fatalf("%q is not UTF-8", out)
		}
		for _, r := range out {
			if r < ' ' || r >= 0x7f && r < 0xa0 {
				t.Fatalf("%q holds %U", out, r)
			}
		}
		if again := term.Clean(out); again != out {
			t.Fatalf("cleaned twice: %q, %q", out, again)
		}
	})
}

func TestLines(t *testing.T) {
	got := term.Lines("a\tb\r\n日\tc\n\n\x07 end\n")
	if d := cmp.Diff([]string{"a   b", "日  c", "", `\x07 end`}, got); d != "" {
		t.Error(d)
	}
}

func TestTableAligns(t *testing.T) {
	var b strings.Builder
	s := term.New(&b, func(string) string { return "" }, false)
	table := term.NewTable("NAME", ">N", "REST")
	table.Row(term.Text("日本"), term.Int(7), term.Text("x"))
	table.Row(term.Piece{Text: "a\x1bb", Style: term.Bad}, term.Int(1234))
	s.Table(table)
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	want := "NAME       N  REST\n日本       7  x\na\\x1bb  1234  \n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 5000: "4.9 KiB", 3 << 30: "3.0 GiB", 5 << 50: "5120.0 TiB"} {
		if got := term.Size(n); got != want {
			t.Errorf("Size(%d) = %s, want %s", n, got, want)
		}
	}
}
