package ingest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cleave-project/cleave/core/dispatch"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// A plugin that cannot be asked is not held against its documents: they wait without a try and without a back-off, are
// written once, and are split as soon as the plugin is back (C8).
func TestPluginDownIsNoTry(t *testing.T) {
	own := filepath.Join(t.TempDir(), "cleave-plugin-test")
	must(t, copyFile(own, program("test")))
	l := newLab(t, t.TempDir(), openPluginList(t, dispatch.Plugin{Name: "test", Command: []string{own}, Processes: 1}))
	l.write("a.test", "first words\n")
	l.write("b.test", "untouched words\n")
	l.scan()

	must(t, copyFile(own, program("again/test"))) // replaced while it runs
	l.write("0.test", "CRASH\n")
	l.scan() // ends the process of the old program
	l.write("a.test", "second words\n")
	l.write("new.test", "new words\n")
	r := l.scan()
	got := map[object.Path]object.State{}
	for path, e := range l.entries() {
		got[path] = e.State
	}
	want := map[object.Path]object.State{
		"0.test": object.StateFailed, "a.test": object.StateStale, "b.test": object.StateCurrent, "new.test": object.StateFailed,
	}
	if diff := cmp.Diff(want, got); diff != "" || l.text("a.test") != "first words\n" {
		t.Errorf("a.test is %q (-want +got)\n%s", l.text("a.test"), diff)
	}
	failures := l.failures()
	for _, path := range []object.Path{"a.test", "new.test"} {
		f := failures[path]
		if f.Code != "plugin_refused" || f.Tries != 0 || f.Next != l.clock.UnixNano() || !strings.Contains(f.Message, "restart cleaved") {
			t.Errorf("%s: %+v", path, f)
		}
	}
	if r.Failed != 3 {
		t.Errorf("%+v", r)
	}
	l.clock = l.clock.Add(1)
	l.unchanged()
	if diff := cmp.Diff(failures, l.failures(), cmpopts.IgnoreUnexported(store.Failure{})); diff != "" {
		t.Errorf("a scan that changed nothing wrote records (-before +after)\n%s", diff)
	}

	l.use(openPlugins(t, own)) // as a restart does, without a day between
	r = l.scan()
	if e := l.entries(); e["a.test"].State != object.StateCurrent || e["new.test"].State != object.StateCurrent || r.Failed != 1 {
		t.Errorf("%+v, %+v", r, e)
	}
	if l.text("a.test") != "second words\n" {
		t.Errorf("a.test is %q", l.text("a.test"))
	}
}

// Files that stand together and end the plugin cost each itself, in the same generation as those behind them (C8): far
// more of them in a row than a plugin may die of.
func TestPoisonStandsTogether(t *testing.T) {
	const poison, good = 70, 20
	l := newLab(t, t.TempDir(), openPlugins(t, "test"))
	for i := range poison {
		l.write(fmt.Sprintf("bad/%03d.test", i), fmt.Sprintf("CRASH\n%d\n", i))
	}
	for i := range good {
		l.write(fmt.Sprintf("good/%03d.test", i), fmt.Sprintf("The words of file %d.\n", i))
	}
	r := l.scan()
	if r.Failed != poison || r.Generation.Counts.Documents != good || r.Generation.Number != 1 {
		t.Errorf("%+v", r)
	}
	for path, f := range l.failures() {
		if f.Code != "plugin_crashed" || f.Tries != 1 {
			t.Errorf("%s: %+v", path, f)
		}
	}
	l.unchanged()
}

// copyFile puts the program from at to, as an installer does: a new file in the place of the old.
func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to+".new", data, 0o755); err != nil {
		return err
	}
	return os.Rename(to+".new", to)
}
