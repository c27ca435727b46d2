package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/cleave-project/cleave/sdk"
)

// corpus reads the text files below the directory that CORPUS names.
func corpus(tb testing.TB) map[string][]byte {
	tb.Helper()
	root := os.Getenv("CORPUS")
	if root == "" {
		tb.Skip("CORPUS is not set: no corpus of text to read")
	}
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if err == nil && utf8.Valid(content) {
			files[path] = content
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

// BenchmarkCorpus measures splitting alone, in bytes of text a second.
func BenchmarkCorpus(b *testing.B) {
	files := corpus(b)
	s := Splitter{}
	size := 0
	for _, c := range files {
		size += len(c)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, c := range files {
			if _, err := s.Split(b.Context(), sdk.File{Content: c}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
