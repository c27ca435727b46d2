package text_test

import (
	"os"
	"testing"
	"unicode/utf8"

	"github.com/cleave-project/cleave/core/text"
)

// BenchmarkCuts measures on the files of the folder CORPUS, joined, up to 8 MiB.
func BenchmarkCuts(b *testing.B) {
	dir := os.Getenv("CORPUS")
	if dir == "" {
		b.Skip("CORPUS is not set")
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		b.Fatal(err)
	}
	var all []byte
	for _, e := range entries {
		raw, err := os.ReadFile(dir + "/" + e.Name())
		if err == nil && utf8.Valid(raw) && len(all) < 8<<20 {
			all = append(all, raw...)
		}
	}
	for name, f := range splitters {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(all)))
			for b.Loop() {
				for range f(all) {
				}
			}
		})
	}
	b.Run("decode", func(b *testing.B) {
		b.SetBytes(int64(len(all)))
		for b.Loop() {
			if _, err := text.Decode(all); err != nil {
				b.Fatal(err)
			}
		}
	})
}
