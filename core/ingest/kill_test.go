package ingest_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cleave-project/cleave/core/ingest"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// The instants of a run at which its process is killed, in their order.
var instants = []string{
	"all files cut", "head moved", "half the failures written", "failures written", "half the stats written", "stats written",
}

const (
	killAt   = "INGEST_KILL_AT" // an instant: the test is the process to be killed
	killDir  = "INGEST_KILL_DIR"
	killTree = "INGEST_KILL_TREE"

	killRounds = 18
)

// Killed between the steps of a publication, with any edits before, and edits after it or none, a run leaves a state
// from which the next one comes to the same generation as a fresh store (I1, I8), with a failure recorded for each
// document that fails and for no other. INGEST_SEED=N repeats a run.
func TestKilledWhilePublishing(t *testing.T) {
	if os.Getenv(killAt) != "" {
		scanAndDie(t)
	}
	if testing.Short() {
		t.Skip("starts processes and kills them")
	}
	seed := seedOf(t)
	e := &editor{t: t, tree: t.TempDir(), rand: rand.New(rand.NewPCG(seed, 1))}
	plugins := openPlugins(t, "markdown", "test", "text")
	dir := t.TempDir()
	first := e.rand.IntN(len(instants))
	for round := range killRounds {
		for range 1 + e.rand.IntN(editsPerScan) {
			e.edit()
		}
		instant := instants[(first+round)%len(instants)]
		killed(t, instant, dir, e.tree)
		if e.rand.IntN(2) == 0 {
			e.edit()
		}
		t.Run(instant, func(t *testing.T) { // ends with the store closed
			l := newLabIn(t, dir, e.tree, plugins)
			must(t, l.store.Check(context.Background(), func(p store.Problem) { t.Error(p) }))
			r := l.scan()
			fresh := newLab(t, e.tree, plugins)
			compare(t, l, r.Generation, fresh, fresh.scan().Generation)
			failures := l.failures()
			for path, entry := range l.entries() {
				if _, failed := failures[path]; failed != (entry.State != object.StateCurrent) {
					t.Errorf("%q is %v; failure recorded: %v", path, entry.State, failed)
				}
				delete(failures, path)
			}
			if len(failures) > 0 {
				t.Errorf("failures of no document: %v", failures)
			}
			l.unchanged()
		})
		if t.Failed() {
			t.Fatalf("round %d, killed with %s; INGEST_SEED=%d; the last edits were:\n%s", round, instant, seed,
				strings.Join(e.last(2*editsPerScan), "\n"))
		}
	}
}

// killed runs one scan in a process that ends at the instant.
func killed(t *testing.T, instant, dir, tree string) {
	t.Helper()
	temp, err := os.MkdirTemp("", "ck") // what the process leaves behind; t.TempDir is too long for a socket
	must(t, err)
	defer os.RemoveAll(temp)
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledWhilePublishing$", "-test.v")
	cmd.Env = append(os.Environ(), killAt+"="+instant, killDir+"="+dir, killTree+"="+tree, programsVariable+"="+programs, "TMPDIR="+temp)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the scan was to be killed with %s: %v\n%s", instant, err, out)
	}
}

// scanAndDie is the process that is killed.
func scanAndDie(t *testing.T) {
	at := os.Getenv(killAt)
	l := newLabIn(t, os.Getenv(killDir), os.Getenv(killTree), openPlugins(t, "markdown", "test", "text"))
	l.deps.Records = mortal{l.store, at}
	_, err := ingest.Run(context.Background(), l.deps, l.src, ingest.Request{
		Reason: "scan", Now: func() time.Time { return l.clock },
		Progress: func(p ingest.Progress) {
			if p.Done == p.Total {
				dieAt("all files cut", at)
			}
		},
	})
	t.Fatalf("not killed with %s: %v", at, err)
}

// dieAt kills the process if this is the instant; no deferred call and no finalizer runs.
func dieAt(instant, at string) {
	if instant == at {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL) // does not return
	}
}

// mortal is a store in which the process ends at an instant.
type mortal struct {
	*store.Store
	at string
}

var _ ingest.Records = mortal{}

func (m mortal) SetFailures(ctx context.Context, source object.Source, puts []store.FailureItem, removes []object.Path) error {
	dieAt("head moved", m.at)
	half := func() error { return m.Store.SetFailures(ctx, source, puts[:len(puts)/2], removes[:len(removes)/2]) }
	if err := half(); err != nil {
		return err
	}
	dieAt("half the failures written", m.at)
	err := m.Store.SetFailures(ctx, source, puts, removes)
	dieAt("failures written", m.at)
	return err
}

func (m mortal) SetStats(ctx context.Context, source object.Source, puts []store.StatItem, removes []object.Path) error {
	half := func() error { return m.Store.SetStats(ctx, source, puts[:len(puts)/2], removes[:len(removes)/2]) }
	if err := half(); err != nil {
		return err
	}
	dieAt("half the stats written", m.at)
	err := m.Store.SetStats(ctx, source, puts, removes)
	dieAt("stats written", m.at)
	return err
}
