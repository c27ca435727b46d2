package main

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cleave-project/cleave/sdk"
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
	s, other := Splitter{}, Splitter{}
	f.Fuzz(func(t *testing.T, content []byte) {
		o, err := s.Split(t.Context(), sdk.File{Content: content})
		if err != nil {
			t.Fatal(err)
		}
		if why := broken(content, o); why != "" {
			t.Fatal(why)
		}
		again, err := other.Split(t.Context(), sdk.File{Content: content})
		if d := cmp.Diff(o, again); d != "" || err != nil {
			t.Fatal(err, d)
		}
	})
}
