package scan_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/cleave-project/cleave/core/scan"
)

// BenchmarkWalk walks 10,000 files in 100 folders; compare with find -size +1000c, which also describes each file.
func BenchmarkWalk(b *testing.B) {
	root := b.TempDir()
	for i := range 100 {
		dir := filepath.Join(root, fmt.Sprintf("folder-%d", i))
		if err := os.Mkdir(dir, 0o755); err != nil {
			b.Fatal(err)
		}
		for j := range 100 {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("document-%d.md", j)), nil, 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		l, err := scan.Walk(context.Background(), scan.Options{Root: root, Include: []string{"**/*.md"}})
		if err != nil || len(l.Files) != 10_000 {
			b.Fatalf("%d files, %v", len(l.Files), err)
		}
	}
	b.ReportMetric(10_000*float64(b.N)/b.Elapsed().Seconds(), "files/s")
}
