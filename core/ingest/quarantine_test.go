package ingest_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cleave-project/cleave/core/object"
)

// A file that fails is tried again after one minute, two, four ... and every six hours in the end (C8); not before, and
// at once when it changes. A change of policy is another reason to try.
func TestQuarantineBacksOff(t *testing.T) {
	l := newLab(t, t.TempDir(), openPlugins(t, "markdown", "test", "text"))
	l.write("a.test", "REFUSE\n")
	first := l.clock
	l.scan()
	var waits []time.Duration
	for range 12 {
		f := l.failures()["a.test"]
		if f.First != first.UnixNano() || f.Last != l.clock.UnixNano() || f.Tries != len(waits)+1 || f.Code != "damaged" {
			t.Fatalf("after try %d: %+v", len(waits)+1, f)
		}
		wait := time.Duration(f.Next - f.Last)
		waits = append(waits, wait)
		l.clock = l.clock.Add(wait - 1)
		l.unchanged() // not due
		l.clock = l.clock.Add(1)
		if calls := l.calls(); l.scan().Failed != 1 || l.calls() != calls+1 {
			t.Fatalf("due after %v: %d calls", wait, l.calls()-calls)
		}
	}
	const m, h = time.Minute, time.Hour
	want := []time.Duration{m, 2 * m, 4 * m, 8 * m, 16 * m, 32 * m, 64 * m, 128 * m, 256 * m, 6 * h, 6 * h, 6 * h}
	if diff := cmp.Diff(want, waits); diff != "" {
		t.Error(diff)
	}

	calls := l.calls()
	l.policy.MaxTokens++
	l.scan()
	if f := l.failures()["a.test"]; l.calls() != calls+1 || f.Tries != 1 {
		t.Errorf("another policy: %d calls, %+v", l.calls()-calls, f)
	}
	l.write("a.test", "REFUSE encrypted\n")
	l.scan()
	if f := l.failures()["a.test"]; f.Tries != 1 || f.Code != "encrypted" {
		t.Errorf("another content: %+v", f)
	}
	l.write("a.test", "All is well.\n")
	r := l.scan()
	if l.entries()["a.test"].State != object.StateCurrent || r.Failed != 0 || len(l.failures()) != 0 {
		t.Errorf("healed: %+v, failures %v", r, l.failures())
	}
	l.unchanged()
}

// What a plugin does to one file costs that file, in the same generation as the others (C8).
func TestOneBadFileCostsOneFile(t *testing.T) {
	l := newLab(t, t.TempDir(), openPlugins(t, "markdown", "test", "text"))
	bad := map[string]string{"CRASH": "plugin_crashed", "EXIT": "plugin_crashed", "HANG": "parse_timeout", "LIE beyond": "plugin_broke_contract",
		"LIE name": "plugin_broke_contract", "REFUSE": "damaged"}
	for content := range bad {
		l.write(content+".test", content+"\n")
	}
	l.write("good.test", "All is well.\n")
	l.write("other.md", "# Fine\n")
	r := l.scan()
	entries, failures := l.entries(), l.failures()
	for content, code := range bad {
		path := object.Path(content + ".test")
		if entries[path].State != object.StateFailed || failures[path].Code != code {
			t.Errorf("%s: state %v, want failed; %+v", path, entries[path].State, failures[path])
		}
	}
	for _, path := range []object.Path{"good.test", "other.md"} {
		if entries[path].State != object.StateCurrent {
			t.Errorf("%s: %+v", path, entries[path])
		}
	}
	if r.Failed != len(bad) || !r.Complete {
		t.Errorf("%+v", r)
	}
	l.unchanged()
}
