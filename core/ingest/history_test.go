package ingest_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/cleave-project/cleave/core/object"
)

const (
	edits = 200
	// editsPerScan is how many edits one incremental scan finds at once, at most.
	editsPerScan = 8
)

// TestHistoryLeavesNoTrace makes random edits in a real tree and scans now and then: each time the generation must be
// the one that a fresh store makes of the same tree, root and all (I8), but for the documents that fail just now; and
// another scan must find nothing to do (C4). INGEST_SEED=N repeats a run.
func TestHistoryLeavesNoTrace(t *testing.T) {
	seed := seedOf(t)
	e := &editor{t: t, tree: t.TempDir(), rand: rand.New(rand.NewPCG(seed, 0))}
	plugins := openPlugins(t, "markdown", "test", "text")
	l := newLab(t, e.tree, plugins)
	for done := 0; done < edits; {
		for range 1 + e.rand.IntN(editsPerScan) {
			e.edit()
			done++
		}
		r := l.scan()
		fresh := newLab(t, e.tree, plugins)
		compare(t, l, r.Generation, fresh, fresh.scan().Generation)
		if t.Failed() {
			t.Fatalf("after edit %d; INGEST_SEED=%d; the last ones were:\n%s", done, seed, strings.Join(e.last(2*editsPerScan), "\n"))
		}
		l.unchanged()
	}
}

// seedOf is the seed of a random test, which its log names.
func seedOf(t *testing.T) uint64 {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("INGEST_SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("INGEST_SEED=%d", seed)
	return seed
}

// compare checks that two stores of one tree hold the same; documents that fail may differ in what is left of them.
func compare(t *testing.T, l *lab, g object.Generation, fresh *lab, want object.Generation) {
	t.Helper()
	have, wanted := l.entries(), fresh.entries()
	failing := 0
	for path, e := range have {
		if e.State == object.StateCurrent {
			continue
		}
		failing++
		if other, ok := wanted[path]; !ok || other.State == object.StateCurrent {
			t.Errorf("%q fails (%s), and is fine when it is scanned afresh: %+v", path, l.failures()[path].Message, other)
		}
		delete(have, path)
		delete(wanted, path)
	}
	if diff := gocmp.Diff(wanted, have); diff != "" {
		t.Errorf("fresh -, incremental +: %s", diff)
	}
	if failing == 0 && g.Root != want.Root {
		t.Errorf("root %s, afresh %s", g.Root, want.Root)
	}
}
