package ingest_test

import (
	"context"
	"testing"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// What serves change detection is written after the head has moved. After a crash between the two it is of the
// generation before, and must not have the old bytes taken for the new document (I1, I8).
func TestCrashBeforeStatsAreWritten(t *testing.T) {
	l := newLab(t, t.TempDir(), openPlugins(t, "markdown", "text"))
	old := paragraphs("valve", 2)
	l.write("a.md", old)
	l.scan()
	var before []store.StatItem
	for item, err := range l.store.Stats(context.Background(), docs) {
		must(t, err)
		before = append(before, item)
	}
	l.write("a.md", paragraphs("gasket", 3))
	l.scan()
	must(t, l.store.SetStats(context.Background(), docs, before, nil)) // as the crash leaves it

	l.write("a.md", old)
	l.write("b.md", old)
	l.scan()
	for _, path := range []string{"a.md", "b.md"} {
		if got := l.text(object.Path(path)); got != old {
			t.Errorf("%s: got %q, want %q", path, got, old)
		}
	}
	l.unchanged()
}

// A file that was good and then failed has its last good text in the head and, beside it, what the scan saw of the bad
// bytes. Without the failure, which a crash may have kept from being written, these must not be taken for the good ones.
func TestCrashBeforeFailureIsWritten(t *testing.T) {
	l := newLab(t, t.TempDir(), openPlugins(t, "markdown", "text"))
	l.write("a.md", "# Good\n\nwords\n")
	l.scan()
	l.write("a.md", "Gr\xfc\xdfe, and rather longer than before\n")
	l.scan()
	want := l.entries()["a.md"]
	must(t, l.store.SetFailures(context.Background(), docs, nil, []object.Path{"a.md"})) // as the crash leaves it

	r := l.scan()
	got := l.entries()["a.md"]
	if got != want || got.State != object.StateStale || r.Failed != 1 || l.failures()["a.md"].Code != "unsupported_encoding" {
		t.Errorf("entry %+v, want %+v; failures %v", got, want, l.failures())
	}
	l.unchanged()
}
