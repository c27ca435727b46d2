package main

import (
	"fmt"
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

// TestHostile splits documents made to cost more than their size (I13).
func TestHostile(t *testing.T) {
	const n = 50_000
	tests := map[string]string{
		"line of 10 million":    strings.Repeat("x", 10_000_000),
		"line of blanks":        strings.Repeat(" ", 10_000_000) + "x",
		"no blank line":         strings.Repeat("The line ends here but no blank line follows for a long time.\n", 30_000),
		"bullets by indent":     indented(1000, "\n"),
		"spaced bullets":        indented(500, "\n\n"),
		"alternating bullets":   strings.Repeat("- a\n\n  * b\n\n", n/5),
		"unfinished lists":      strings.Repeat("x\n5. a\n\n   7. b\n\n", n/5),
		"bullets in paragraphs": strings.Repeat("x\n- a\ny\n", n),
		"one item and the rest": "text\n- a\n" + strings.Repeat("\n  b", n),
		"colons":                strings.Repeat("A: b\n", n),
		"speakers":              strings.Repeat("A: b\n\nB: c\n\n", n),
		"times":                 strings.Repeat("[12:01] A: b\n", n),
		"clauses":               clauseText(n),
		"deep clauses":          deepClauses(400),
		"short paragraphs":      strings.Repeat("a\n\n", n),
		"carriage returns":      strings.Repeat("a\r\r", n),
		"long heads":            strings.Repeat(strings.Repeat("A b ", 60)+": x\n", 20_000),
	}
	for name, content := range tests {
		t.Run(name, func(t *testing.T) {
			start := cpu(t)
			_, err := Splitter{}.Split(t.Context(), sdk.File{Content: []byte(content)})
			if err != nil {
				t.Error(err)
			}
			if d := cpu(t) - start; d > maxHostile {
				t.Errorf("took %v", d)
			}
		})
	}
}

func indented(depth int, end string) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat("  ", i) + "- x" + end)
	}
	return b.String()
}

func clauseText(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d. Title\n%d.1 Text.\n", i%999+1, i%999+1)
	}
	return b.String()
}

// deepClauses nests a clause in each clause before it.
func deepClauses(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString("1" + strings.Repeat(".1", i) + " Text.\n")
	}
	return b.String()
}
