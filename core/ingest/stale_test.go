package ingest_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cleave-project/cleave/core/dispatch"
	"github.com/cleave-project/cleave/core/ingest"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/scan"
)

// While a plugin does not start, its documents stay as they were, marked stale: they neither go nor go to the fallback.
func TestPluginDownKeepsDocuments(t *testing.T) {
	up := openPlugins(t, "markdown", "test", "text")
	l := newLab(t, t.TempDir(), up)
	l.write("a.test", "Some honest words.\n")
	l.write("b.md", "# Fine\n")
	first := l.scan()

	broken := filepath.Join(t.TempDir(), "cleave-plugin-test")
	must(t, os.WriteFile(broken, []byte("#!/bin/sh\necho no licence >&2\nexit 1\n"), 0o755))
	l.use(openPlugins(t, "markdown", broken, "text"))
	r := l.scan()
	if got := l.entries()["a.test"]; got.State != object.StateStale || r.Failed != 1 || r.Generation.Counts.Documents != 2 {
		t.Errorf("entry %+v, report %+v", got, r)
	}
	if l.text("a.test") != "Some honest words.\n" {
		t.Errorf("text %q", l.text("a.test"))
	}
	// The failure names the plugin that is missing and counts no try; one line for the plugin, not for each document.
	f := l.failures()["a.test"]
	if f.Plugin != "test" || f.Tries != 0 || f.Next != l.clock.UnixNano() {
		t.Errorf("failure %+v", f)
	}
	if len(r.Down) != 1 || r.Down[0].Plugin != "test" || r.Down[0].Documents != 1 || len(r.Quarantined) != 0 {
		t.Errorf("down %+v, quarantined %+v", r.Down, r.Quarantined)
	}
	l.clock = l.clock.Add(time.Hour)
	l.unchanged()
	if again := l.failures()["a.test"]; again != f {
		t.Errorf("a scan that had nothing to do wrote %+v, before %+v", again, f)
	}

	l.use(up)
	if r := l.scan(); r.Generation.Root != first.Generation.Root || r.Failed != 0 {
		t.Errorf("when it is back: root %s, want %s; %d failed", r.Generation.Root, first.Generation.Root, r.Failed)
	}
}

// A plugin that is down keeps no document from a plugin that runs: who is routed elsewhere by the operator goes there.
func TestBrokenPluginIsNotInTheWay(t *testing.T) {
	l := newLab(t, t.TempDir(), openPlugins(t, "markdown", "text"))
	l.write("a.md", "# Fine\n\nwords\n")
	l.scan()
	broken := filepath.Join(t.TempDir(), "cleave-plugin-broken")
	must(t, os.WriteFile(broken, []byte("#!/bin/sh\nexit 1\n"), 0o755))
	l.use(openPluginList(t, dispatch.Plugin{Name: "text", Command: []string{program("text")}, Match: []string{"*.md"}},
		dispatch.Plugin{Name: "broken", Command: []string{broken}}, dispatch.Plugin{Name: "markdown", Command: []string{program("markdown")}}))
	if l.plugins.Whole() {
		t.Fatal("the broken plugin runs")
	}
	r := l.scan()
	if got := l.entries()["a.md"]; got.State != object.StateCurrent || r.Generation.Delta.Changed != 1 {
		t.Errorf("entry %+v, delta %+v, failures %v", got, r.Generation.Delta, l.failures())
	}
}

// Of a document that fails just now, the last good text stays, under the policy its file has now (I10).
func TestStaleDocumentFollowsItsMode(t *testing.T) {
	l := newLab(t, t.TempDir(), openPlugins(t, "markdown", "text"))
	l.write("a.md", "# Open\n\nwords\n")
	l.scan()
	l.write("a.md", "Gr\xfc\xdfe\n")
	l.scan()
	must(t, os.Chmod(l.at("a.md"), 0o600))
	r := l.scan()
	if got := l.entries()["a.md"]; got.State != object.StateStale || got.Access.Mode != 0o600 {
		t.Errorf("state %v, mode %o, want stale, 600", got.State, got.Access.Mode)
	}
	if want := (object.Delta{Metadata: 1}); r.Generation.Delta != want {
		t.Errorf("delta %+v, want %+v", r.Generation.Delta, want)
	}
	l.unchanged()
}

// afterWalk does something between the walk, when files are routed, and the reading.
type afterWalk struct {
	*dispatch.Dispatcher
	do func(name string)
}

func (a afterWalk) Route(name string, head []byte) dispatch.Route {
	a.do(name)
	return a.Dispatcher.Route(name, head)
}

var _ ingest.Splitters = afterWalk{}

// A file that goes between the walk and the reading is absent; nothing else is touched.
func TestFileVanishesAfterWalk(t *testing.T) {
	plugins := openPlugins(t, "markdown", "text")
	l := newLab(t, t.TempDir(), plugins)
	l.write("a.md", "# A\n")
	l.write("b.md", "# B\n")
	l.scan()
	l.write("a.md", "# A, edited\n")
	l.deps.Splitters = afterWalk{plugins, func(name string) {
		if name == "a.md" {
			must(t, os.Remove(l.at("a.md")))
		}
	}}
	r := l.scan()
	if want := (object.Delta{Removed: 1}); r.Generation.Delta != want || !r.Complete || len(l.entries()) != 1 {
		t.Errorf("report %+v, entries %v", r, l.entries())
	}
	l.use(plugins)
	l.unchanged()
}

// A file that is another at every look is not judged: its last version stays, marked stale, and the scan says that it
// is not complete. What was never indexed is left out by name.
func TestFileChangesAllTheTime(t *testing.T) {
	plugins := openPlugins(t, "markdown", "text")
	l := newLab(t, t.TempDir(), plugins)
	l.write("dir/a.md", "# A\n")
	l.scan()
	l.write("dir/a.md", "# A, edited\n")
	l.write("dir/new.md", "# New\n")
	l.deps.Splitters = afterWalk{plugins, func(name string) {
		if name == "dir/a.md" { // a link in the folder's place: the path leads elsewhere at every try
			l.rename("dir", "elsewhere")
			must(t, os.Symlink("elsewhere", l.at("dir")))
		}
	}}
	r := l.scan()
	entries := l.entries()
	if got := entries["dir/a.md"]; got.State != object.StateStale || len(entries) != 1 {
		t.Errorf("entries %+v", entries)
	}
	if r.Complete || len(r.Unreadable) != 2 || !strings.Contains(r.Unreadable[0], scan.ErrChanged.Error()) {
		t.Errorf("complete %v, unreadable %q", r.Complete, r.Unreadable)
	}
	must(t, os.Remove(l.at("dir")))
	l.rename("elsewhere", "dir")
	l.use(plugins)
	if r := l.scan(); !r.Complete || l.text("dir/a.md") != "# A, edited\n" || len(l.entries()) != 2 {
		t.Errorf("at rest: %+v, %v", r, l.entries())
	}
}

// unprivileged is a user without rights on most systems.
const unprivileged = 65534

// A directory that cannot be read deletes nothing (I2): what was in it stays, marked stale, until it can be read again;
// the same holds for a file. Root reads everything, so root runs this test again as somebody else.
func TestUnreadableIsCarried(t *testing.T) {
	if os.Getuid() == 0 {
		asUnprivileged(t)
		return
	}
	l := newLab(t, t.TempDir(), openPlugins(t, "markdown", "text"))
	l.write("open/a.md", "# A\n")
	l.write("shut/b.md", "# B\n\nsecret\n")
	l.write("shut/deep/c.md", "# C\n")
	l.write("shut/picture.md", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	l.write("d.md", "# D\n")
	first := l.scan()

	must(t, os.Chmod(l.at("shut"), 0))
	t.Cleanup(func() { _ = os.Chmod(l.at("shut"), 0o755) }) // else it cannot be removed
	must(t, os.Chmod(l.at("d.md"), 0))
	must(t, os.Remove(l.at("open/a.md")))
	r := l.scan()
	entries := l.entries()
	for _, path := range []object.Path{"shut/b.md", "shut/deep/c.md", "d.md"} {
		if got := entries[path]; got.State != object.StateStale {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if got := entries["d.md"].Access.Mode; got != 0 {
		t.Errorf("mode of d.md: %o (I10)", got)
	}
	// What was left out there is as unknown as the rest, and stays listed.
	if st, ok, err := l.store.Stat(context.Background(), docs, "shut/picture.md"); err != nil || !ok || st.LeftOut != "binary" {
		t.Errorf("shut/picture.md: %+v %v %v", st, ok, err)
	}
	// One line for each directory and file, not for each document in it.
	if len(entries) != 3 || r.Complete || len(r.Unreadable) != 2 || r.Generation.Delta.Removed != 1 {
		t.Errorf("%d entries, report %+v", len(entries), r)
	}
	l.unchanged()

	must(t, os.Chmod(l.at("shut"), 0o755))
	must(t, os.Chmod(l.at("d.md"), 0o644))
	l.write("open/a.md", "# A\n")
	r = l.scan()
	for path, e := range l.entries() {
		if e.State != object.StateCurrent {
			t.Errorf("%s is %v when all can be read", path, e.State)
		}
	}
	if !r.Complete || r.Generation.Counts.Documents != first.Generation.Counts.Documents {
		t.Errorf("report %+v", r)
	}

	must(t, os.Chmod(l.tree, 0))
	_, err := l.try()
	must(t, os.Chmod(l.tree, 0o755))
	var root *scan.RootError
	if !errors.As(err, &root) || root.State != scan.RootUnreadable {
		t.Errorf("an unreadable root: %v", err)
	}
}

func asUnprivileged(t *testing.T) {
	t.Helper()
	self, err := os.ReadFile("/proc/self/exe")
	must(t, err)
	binary := filepath.Join(programs, "ingest.test") // where the other user may go
	must(t, os.WriteFile(binary, self, 0o755))
	cmd := exec.Command(binary, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), programsVariable+"="+programs, "TMPDIR=/tmp")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: unprivileged, Gid: unprivileged}}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) {
		t.Skipf("may not become uid %d here: %v", unprivileged, err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("as uid %d: %v\n%s", unprivileged, err, out)
	}
}
