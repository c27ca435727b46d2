package ingest_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cleave-project/cleave/core/dispatch"
	"github.com/cleave-project/cleave/core/ingest"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
	"github.com/cleave-project/cleave/core/token"
)

// lab is one store over one tree. Its clock runs a day ahead of the files', so that a scan finds settled what was
// written just before it (scan.File.Same), and stands still unless it is moved.
type lab struct {
	t       testing.TB
	dir     string // of the store and of what lies beside it
	tree    string
	store   *store.Store
	plugins *dispatch.Dispatcher
	deps    ingest.Deps
	src     ingest.Source
	policy  object.Policy
	clock   time.Time
}

const docs = object.Source("docs")

func newLab(t testing.TB, tree string, plugins *dispatch.Dispatcher) *lab {
	t.Helper()
	return newLabIn(t, t.TempDir(), tree, plugins)
}

// newLabIn goes on with what an earlier lab has left in dir.
func newLabIn(t testing.TB, dir, tree string, plugins *dispatch.Dispatcher) *lab {
	t.Helper()
	roots, err := ingest.OpenRoots(filepath.Join(dir, "roots"))
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{t: t, dir: dir, tree: tree, plugins: plugins, clock: time.Now().Add(24 * time.Hour)}
	l.policy = object.Policy{Strategy: "structural", MaxTokens: 60, Tokenizer: "cl100k_base", Oversize: "split"}
	l.deps = ingest.Deps{
		Splitters: plugins, Tokenizers: token.Open, Roots: roots,
		Workers: 2, BytesInFlight: 1 << 20,
	}
	l.src = ingest.Source{
		Name: docs, Root: tree, MaxSize: 64 << 10, Policy: func(object.Path) object.Policy { return l.policy },
	}
	l.open()
	t.Cleanup(func() {
		if err := l.store.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// open opens the store, for the first time or again.
func (l *lab) open() {
	l.t.Helper()
	st, err := store.Open(context.Background(), filepath.Join(l.dir, "store"), store.Options{})
	if err != nil {
		l.t.Fatal(err)
	}
	l.store, l.deps.Store = st, st
}

// scan runs once and must not fail.
func (l *lab) scan() ingest.Report {
	l.t.Helper()
	r, err := l.try()
	if err != nil {
		l.t.Fatal(err)
	}
	return r
}

func (l *lab) try() (ingest.Report, error) {
	return ingest.Run(context.Background(), l.deps, l.src, ingest.Request{Reason: "scan", Now: func() time.Time { return l.clock }})
}

// entries is the head's tree.
func (l *lab) entries() map[object.Path]object.Entry {
	l.t.Helper()
	ctx := context.Background()
	pin, err := l.store.Pin(ctx, docs, 0)
	if err != nil {
		l.t.Fatal(err)
	}
	defer pin.Release()
	all := map[object.Path]object.Entry{}
	for item, err := range pin.All(ctx) {
		if err != nil {
			l.t.Fatal(err)
		}
		all[item.Path] = item.Entry
	}
	return all
}

// text is a document's text as the head has it.
func (l *lab) text(path object.Path) string {
	l.t.Helper()
	ctx := context.Background()
	pin, err := l.store.Pin(ctx, docs, 0)
	if err != nil {
		l.t.Fatal(err)
	}
	defer pin.Release()
	entry, ok, err := pin.Lookup(ctx, path)
	if err != nil || !ok {
		l.t.Fatalf("look up %q: %v %v", path, ok, err)
	}
	doc, err := pin.Document(ctx, entry.Doc)
	if err != nil {
		l.t.Fatal(err)
	}
	text, err := pin.Text(ctx, doc, 0, doc.TextLen)
	if err != nil {
		l.t.Fatal(err)
	}
	return string(text)
}

// checksum is that of the plugin that made the document at path.
func (l *lab) checksum(path object.Path) string {
	l.t.Helper()
	sha, ok, err := l.store.Checksum(context.Background(), l.entries()[path].Doc)
	if err != nil || !ok {
		l.t.Fatalf("checksum of %q: %v %v", path, ok, err)
	}
	return sha
}

// failures are the quarantine records.
func (l *lab) failures() map[object.Path]store.Failure {
	l.t.Helper()
	list, err := l.store.Failures(context.Background(), docs)
	if err != nil {
		l.t.Fatal(err)
	}
	all := map[object.Path]store.Failure{}
	for _, f := range list {
		all[f.Path] = f.Failure
	}
	return all
}

// calls counts the calls of all plugins.
func (l *lab) calls() int {
	n := 0
	for _, s := range l.plugins.Status() {
		n += s.Calls
	}
	return n
}

// unchanged scans a tree that has not changed: nothing is published and no plugin is called (C4).
func (l *lab) unchanged() {
	l.t.Helper()
	before := l.calls()
	if r := l.scan(); r.Published {
		l.t.Fatalf("scanning an unchanged tree published generation %d (%+v)", r.Generation.Number, r.Generation.Delta)
	}
	if n := l.calls() - before; n > 0 {
		l.t.Fatalf("scanning an unchanged tree called plugins %d times", n)
	}
}

// write puts a file into the tree.
func (l *lab) write(path, text string) {
	l.t.Helper()
	file := filepath.Join(l.tree, path)
	must(l.t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(l.t, os.WriteFile(file, []byte(text), 0o644))
}

func (l *lab) at(path string) string { return filepath.Join(l.tree, path) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// paragraphs is a Markdown text of n short sections about word.
func paragraphs(word string, n int) string {
	var b strings.Builder
	b.WriteString("# About " + word + "\n\n")
	for i := range n {
		b.WriteString("## Part " + strings.Repeat("i", i+1) + "\n\nThe " + word + " was looked at " +
			strings.Repeat("again and ", i+1) + "found good. Nobody had expected that.\n\n")
	}
	return b.String()
}

func (l *lab) rename(from, to string) {
	l.t.Helper()
	must(l.t, os.Rename(l.at(from), l.at(to)))
}

// use goes on with other plugins, as a restarted daemon does.
func (l *lab) use(plugins *dispatch.Dispatcher) { l.plugins, l.deps.Splitters = plugins, plugins }

// forgeChangeTime makes the record of a file say its present ctime, which no call can set.
func (l *lab) forgeChangeTime(path string) {
	l.t.Helper()
	ctx := context.Background()
	st, ok, err := l.store.Stat(ctx, docs, object.Path(path))
	if err != nil || !ok {
		l.t.Fatalf("stat of %s: %v %v", path, ok, err)
	}
	var now syscall.Stat_t
	must(l.t, syscall.Stat(l.at(path), &now))
	st.Changed = now.Ctim.Nano()
	must(l.t, l.store.SetStats(ctx, docs, []store.StatItem{{Path: object.Path(path), Stat: st}}, nil))
}
