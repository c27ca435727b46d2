package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the outlines found into the golden files")

// escapes names the bytes that a file under testdata does not hold as they are.
var escapes = strings.NewReplacer(`\r`, "\r", `\t`, "\t", `\f`, "\f", `\e`, "")

// TestGolden compares outlines with those in testdata. Each archive has a comment that says what it shows, an input (or
// input.escaped, in which \r, \t and \f stand for the bytes, \e for nothing) and the outline for people.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { golden(t, path) })
	}
}

func golden(t *testing.T, path string) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Files) == 0 {
		t.Fatal("no input")
	}
	content := a.Files[0].Data
	if a.Files[0].Name == "input.escaped" {
		content = []byte(escapes.Replace(string(content)))
	}
	got := render(content, split(t.Context(), t, content))
	if *update {
		a.Files = append(a.Files[:1], txtar.File{Name: "outline", Data: []byte(got)})
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if len(a.Files) != 2 {
		t.Fatal("no outline: run with -update and read what it writes")
	}
	if d := cmp.Diff(string(a.Files[1].Data), got); d != "" {
		t.Error(d)
	}
}
