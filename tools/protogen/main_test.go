package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestCommittedCodeIsCurrent: generating again gives the committed bytes.
func TestCommittedCodeIsCurrent(t *testing.T) {
	t.Chdir("../..")
	out := t.TempDir()
	if err := run(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	committed, err := filepath.Glob("sdk/internal/wire/*.pb.go")
	if err != nil {
		t.Fatal(err)
	}
	if len(committed) != len(generators) {
		t.Errorf("%d generated files are committed, want one from each of %d generators", len(committed), len(generators))
	}
	for _, path := range committed {
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(out, filepath.Base(path)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what sdk/proto/splitter.proto gives (make proto): %v", path, err)
		}
	}
}
