package ingest_test

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cleave-project/cleave/core/object"
)

// A file that was written again within the tick of the clock in which it was read looks the same and is not (git's racy
// rule): what was read just after it was written is read again, at no plugin's cost.
func TestRacyFileIsReadAgain(t *testing.T) {
	l := newLab(t, t.TempDir(), openPlugins(t, "markdown", "text"))
	l.clock = time.Now() // not ahead: what is written now has not settled
	l.write("a.md", "# One\n\nvalve\n")
	l.scan()
	info, err := os.Stat(l.at("a.md"))
	must(t, err)
	l.unchanged()

	// The same size, inode and modified time; the record is made to say the same ctime, as within one tick.
	l.write("a.md", "# One\n\nvolve\n")
	must(t, os.Chtimes(l.at("a.md"), info.ModTime(), info.ModTime()))
	l.forgeChangeTime("a.md")
	if r := l.scan(); !r.Published || l.text("a.md") != "# One\n\nvolve\n" {
		t.Errorf("published %v, text %q", r.Published, l.text("a.md"))
	}

	// Had it settled before it was recorded, the record would have been believed: that is what the rule is about.
	l.clock = time.Now().Add(time.Hour)
	l.scan()
	l.write("a.md", "# One\n\nvalve\n")
	must(t, os.Chtimes(l.at("a.md"), info.ModTime(), info.ModTime()))
	l.forgeChangeTime("a.md")
	if r := l.scan(); r.Published {
		t.Error("a settled file that looks the same was read")
	}
}

// Only ctime tells of an edit that keeps size and modified time.
func TestChangeTimeAloneIsAChange(t *testing.T) {
	l := newLab(t, t.TempDir(), openPlugins(t, "markdown", "text"))
	l.write("a.md", "# One\n\nvalve\n")
	l.scan()
	info, err := os.Stat(l.at("a.md"))
	must(t, err)
	l.write("a.md", "# One\n\nvolve\n")
	must(t, os.Chtimes(l.at("a.md"), info.ModTime(), info.ModTime()))
	r := l.scan()
	if want := (object.Delta{Changed: 1}); !r.Published || r.Generation.Delta != want {
		t.Errorf("published %v, delta %+v, want %+v", r.Published, r.Generation.Delta, want)
	}
}

// A generation says what changed in the words people use (C3, C5), and what is gone is gone.
func TestDelta(t *testing.T) {
	l := newLab(t, t.TempDir(), openPlugins(t, "markdown", "text"))
	for _, name := range []string{"a.md", "b.md", "c.md", "sub/d.md", "sub/e.md"} {
		l.write(name, paragraphs(name, 2))
	}
	steps := []struct {
		name string
		do   func()
		want object.Delta
		// calls is how many files a plugin is asked about.
		calls int
	}{
		{"first", func() {}, object.Delta{Added: 5}, 5},
		{"edit", func() { l.write("a.md", "# Other\n\nwords\n") }, object.Delta{Changed: 1}, 1},
		{"rename file", func() { l.rename("a.md", "z.md") }, object.Delta{Moved: 1}, 0},
		{"rename directory", func() { l.rename("sub", "dir") }, object.Delta{Moved: 2}, 0},
		{"touch", func() { must(t, os.Chtimes(l.at("b.md"), time.Unix(1, 0), time.Unix(1, 0))) }, object.Delta{Metadata: 1}, 0},
		{"chmod", func() { must(t, os.Chmod(l.at("b.md"), 0o600)) }, object.Delta{Metadata: 1}, 0},
		{"copy", func() { l.write("copy.md", paragraphs("c.md", 2)) }, object.Delta{Added: 1}, 0},
		{"swap", func() { l.rename("b.md", "x"); l.rename("c.md", "b.md"); l.rename("x", "c.md") }, object.Delta{Changed: 2}, 0},
		{"ignored", func() { l.write(".gitignore", "copy.md\n") }, object.Delta{Removed: 1}, 0},
		{"binary", func() { l.write("z.md", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR") }, object.Delta{Removed: 1}, 0},
		{"delete", func() { must(t, os.RemoveAll(l.at("dir"))) }, object.Delta{Removed: 2}, 0},
		{"empty", func() { must(t, os.Remove(l.at("b.md"))); must(t, os.Remove(l.at("c.md"))) }, object.Delta{Removed: 2}, 0},
	}
	for _, s := range steps {
		s.do()
		calls := l.calls()
		r := l.scan()
		if diff := cmp.Diff(s.want, r.Generation.Delta); diff != "" || !r.Published || !r.Complete {
			t.Errorf("%s: published %v, complete %v, delta: %s", s.name, r.Published, r.Complete, diff)
		}
		if got := l.calls() - calls; got != s.calls {
			t.Errorf("%s: plugins were called %d times, want %d", s.name, got, s.calls)
		}
		l.unchanged()
	}
	if left := l.entries(); len(left) > 0 {
		t.Errorf("an empty tree has documents: %v", left)
	}
}

// A change of policy packs again from the outlines that are kept, and no plugin is called.
func TestPolicyChangePacksAgain(t *testing.T) {
	plugins := openPlugins(t, "markdown", "text")
	l := newLab(t, t.TempDir(), plugins)
	l.write("a.md", paragraphs("valve", 4))
	l.write("b.txt", "Some words. Some more.\n")
	l.scan()
	chunks := l.entries()["a.md"].Chunks
	calls := l.calls()
	l.policy.MaxTokens = 25
	r := l.scan()
	if l.calls() != calls || r.Generation.Delta.Changed != 2 || l.entries()["a.md"].Chunks <= chunks {
		t.Errorf("%d calls, %+v, %d chunks after %d", l.calls()-calls, r.Generation.Delta, l.entries()["a.md"].Chunks, chunks)
	}
	fresh := newLab(t, l.tree, plugins)
	fresh.policy = l.policy
	if got, want := r.Generation.Root, fresh.scan().Generation.Root; got != want {
		t.Errorf("root %s, afresh %s", got, want)
	}
	l.unchanged()
}

// A rebuilt plugin of the same version splits again what it claims; what it says is the same, so nothing moves.
func TestRebuiltPluginKeepsRecords(t *testing.T) {
	l := newLab(t, t.TempDir(), openPlugins(t, "markdown", "test", "text"))
	l.write("a.test", "Some honest words.\n\nAnd more of them.\n")
	l.write("b.md", "# Other\n")
	l.write("left.test", "REFUSE unsupported_type\n")
	first := l.scan()
	if first.LeftOut != 0 || first.Failed != 1 { // the refused one is a document that failed (I12)
		t.Fatalf("%+v", first)
	}
	l.unchanged()
	made := l.checksum("a.test")
	l.use(openPlugins(t, "markdown", "again/test", "text"))
	second := l.scan()
	if second.Published || second.Generation.Root != first.Generation.Root {
		t.Errorf("published %v: %+v", second.Published, second.Generation.Delta)
	}
	// The refused file too: another plugin may take what the last one did not (C8).
	if got := l.calls(); got != 2 {
		t.Errorf("the rebuilt plugin was called %d times, want 2", got)
	}
	l.unchanged()
	// Records carry the checksum of whoever made them.
	l.write("new.test", "Words that the first build never saw.\n")
	l.scan()
	if old, fresh := l.checksum("a.test"), l.checksum("new.test"); old != made || fresh == made {
		t.Errorf("checksums: %s and %s, the first build was %s", old, fresh, made)
	}
}
