package main

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cleave-project/cleave/sdk"
)

// maxHostile is how much processor time one hostile document may take: far more than its size asks for, so that the race
// detector does not fail it and a quadratic step does.
const maxHostile = 20 * time.Second

// cpu is the processor time this process has used; other than the clock it does not run while others work.
func cpu(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestHostile splits documents made to cost more than their size: nesting, brackets, emphasis, wide tables, endless
// lines (I13).
func TestHostile(t *testing.T) {
	const n = 50_000
	rows := strings.Repeat("|a|\n", 10_000)
	tests := map[string]string{
		"line of 10 million":        strings.Repeat("x", 10_000_000),
		"line of 10 million tags":   "<" + strings.Repeat("x", 10_000_000),
		"line of words":             strings.Repeat("word ", 2_000_000),
		"quotes":                    strings.Repeat(">", n) + "x",
		"quotes with blanks":        strings.Repeat("> ", n) + "x",
		"quotes on each line":       strings.Repeat(strings.Repeat(">", 1000)+"x\n", 1000),
		"lists":                     strings.Repeat("- ", n) + "x",
		"lists by indent":           indented(1000),
		"list and blank lines":      "- " + strings.Repeat("- ", 100) + "a\n" + strings.Repeat("\n", 500_000) + "b",
		"footnotes":                 strings.Repeat("[^a]: ", n) + "x",
		"mixed containers":          strings.Repeat("> - ", n) + "x",
		"opening brackets":          strings.Repeat("[", n),
		"definitions unfinished":    strings.Repeat("[a", n),
		"lines of brackets":         strings.Repeat("[a\n", n),
		"heading of brackets":       "# " + strings.Repeat("[a](", n),
		"heading of emphasis":       "# " + strings.Repeat("*a **b _c ", n/10),
		"headings of emphasis":      strings.Repeat("# "+strings.Repeat("*a **b _c ", 200)+"\n\n", 1000),
		"headings of brackets":      strings.Repeat("# "+strings.Repeat("[a](", 500)+"\n\n", 1000),
		"headings of backticks":     strings.Repeat("# "+backticks(60)+"\n\n", 1000),
		"headings of tags":          strings.Repeat("# "+strings.Repeat("<a x='", 300)+"\n\n", 1000),
		"wide header, short rows":   strings.Repeat("|a", 10_000) + "|\n" + strings.Repeat("|-", 10_000) + "|\n" + rows,
		"row of pipes":              "|a|\n|-|\n" + strings.Repeat("|", 5_000_000),
		"delimiter rows":            strings.Repeat("|-|\n", n),
		"fences":                    strings.Repeat("```\n~~~\n", n),
		"unclosed comment":          strings.Repeat("<!-- x\n", n),
		"underlines":                strings.Repeat("a\n===\n", n),
		"tabs":                      strings.Repeat("\t", n) + "x",
		"list of tabs":              strings.Repeat("-\t", n) + "x",
		"front matter never closed": "---\na: b\n" + strings.Repeat("c: d\n", n),
		"front matter of aliases":   "---\n" + aliases(20) + "---\n",
		"front matter nested":       "---\na: " + strings.Repeat("[", 20_000) + "\n---\n",
		"front matter nested TOML":  "+++\na = " + strings.Repeat("[", 20_000) + "\n+++\n",
		"carriage returns":          strings.Repeat("a\r\r", n),
	}
	for name, content := range tests {
		t.Run(name, func(t *testing.T) {
			start := cpu(t)
			if _, err := New().Split(t.Context(), sdk.File{Content: []byte(content)}); err != nil {
				t.Error(err)
			}
			if d := cpu(t) - start; d > maxHostile {
				t.Errorf("took %v", d)
			}
		})
	}
}

func indented(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat("  ", i) + "- x\n")
	}
	return b.String()
}

// backticks is runs of 1 to n backticks, no two of the same length.
func backticks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("`", i+1) + " ")
	}
	return b.String()
}

// aliases is a mapping in which each value holds the one before ten times.
func aliases(n int) string {
	b := strings.Builder{}
	b.WriteString("a0: &a0 [x, x]\n")
	for i := range n {
		x := string(rune('a' + i))
		prev := "a0"
		if i > 0 {
			prev = "v" + string(rune('a'+i-1))
		}
		b.WriteString("v" + x + ": &v" + x + " [" + strings.Repeat("*"+prev+", ", 9) + "*" + prev + "]\n")
	}
	return b.String()
}

// TestTooLarge refuses what would take memory out of all proportion to its size.
func TestTooLarge(t *testing.T) {
	for name, content := range map[string]string{
		"lines": strings.Repeat("a\n", maxLines+1),
		"units": strings.Repeat("#\n", maxUnits/2+1),
		"items": strings.Repeat("-\n", maxUnits+1),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := New().Split(t.Context(), sdk.File{Content: []byte(content)})
			if e, ok := errors.AsType[*sdk.Error](err); !ok || e.Code != sdk.CodeTooLarge {
				t.Errorf("got %v, want %s", err, sdk.CodeTooLarge)
			}
		})
	}
	o, err := New().Split(t.Context(), sdk.File{Content: []byte("a" + strings.Repeat("\n", 4<<20) + "b")})
	if err != nil || len(o.Units) != 2 {
		t.Errorf("blank lines count: %d units, %v", len(o.Units), err)
	}
}

// TestCancelled ends with the context's error, also within the parser.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	content := []byte(strings.Repeat("a\n\n", 100_000))
	if _, err := New().Split(ctx, sdk.File{Content: content}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
