package main

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzText looks for content whose outline breaks a rule of the contract, differs between two calls, or panics.
func FuzzText(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range paths {
		a, err := txtar.ParseFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(a.Files[0].Data)
		f.Add([]byte(escapes.Replace(string(a.Files[0].Data))))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		split(t.Context(), t, bytes.ToValidUTF8(content, []byte("?")))
	})
}
