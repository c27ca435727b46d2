package index_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cleave-project/cleave/core/index"
	"github.com/cleave-project/cleave/core/object"
)

// corpus cuts the Markdown files below $CORPUS into chunks of about 1 KiB.
func corpus(b *testing.B) (*memory, int64) {
	root := os.Getenv("CORPUS")
	if root == "" {
		b.Skip("CORPUS is not set")
	}
	s := newShared()
	entries := map[object.Path]object.Entry{}
	var size int64
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".md") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		entries[object.Path(name)] = s.put(joinParagraphs(string(data)))
		size += int64(len(data))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return s.publish(entries), size
}

// joinParagraphs leaves blank lines only about every KiB.
func joinParagraphs(text string) string {
	var out strings.Builder
	last := 0
	for _, p := range strings.SplitAfter(text, "\n\n") {
		if out.Len()-last < 1024 {
			p = strings.TrimSuffix(p, "\n")
		} else {
			last = out.Len()
		}
		out.WriteString(p)
	}
	return out.String()
}

func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkFollow builds the index of the corpus from nothing.
func BenchmarkFollow(b *testing.B) {
	for _, mib := range []int64{1, 2, 4, 16} {
		b.Run(fmt.Sprintf("batches of %d MiB", mib), func(b *testing.B) { benchmarkFollow(b, mib<<20) })
	}
}

func benchmarkFollow(b *testing.B, batch int64) {
	tree, size := corpus(b)
	start := cpu()
	for b.Loop() {
		x, err := index.Open(filepath.Join(b.TempDir(), "i"), index.Options{BatchBytes: batch})
		if err != nil {
			b.Fatal(err)
		}
		if err := x.Follow(b.Context(), nil, tree); err != nil {
			b.Fatal(err)
		}
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(size)
	b.ReportMetric(float64(size)/1e6*float64(b.N)/(cpu()-start).Seconds(), "MB/cpu-s")
}

// BenchmarkAnalyze is the analyzer alone.
func BenchmarkAnalyze(b *testing.B) {
	tree, size := corpus(b)
	start := cpu()
	for b.Loop() {
		index.TermsOfAll(func(yield func(string) bool) {
			for _, e := range tree.entries {
				if !yield(string(tree.shared.texts[e.Doc])) {
					return
				}
			}
		})
	}
	b.SetBytes(size)
	b.ReportMetric(float64(size)/1e6*float64(b.N)/(cpu()-start).Seconds(), "MB/cpu-s")
}

func BenchmarkSearch(b *testing.B) {
	tree, _ := corpus(b)
	x, err := index.Open(filepath.Join(b.TempDir(), "i"), index.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	if err := x.Follow(b.Context(), nil, tree); err != nil {
		b.Fatal(err)
	}
	v, err := index.BuildView(b.Context(), tree)
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d rows", v.Rows())
	for _, query := range []string{"borrow checker lifetimes", "how do I use the file system", "prometheus"} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				if _, err := x.Search(b.Context(), v, index.Query{Text: query, K: 50}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
