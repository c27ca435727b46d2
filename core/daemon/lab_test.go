package daemon

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cleave-project/cleave/core/config"
	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/ingest"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// lab is a daemon without plugins and socket, over a state directory: documents are published into its store as a scan
// would, and its sources are advanced as their loops would.
type lab struct {
	*daemon
	t   *testing.T
	log *bytes.Buffer
	cut object.Document // with which policy and tokenizer documents are cut
}

func newLab(t *testing.T, dir string) *lab {
	t.Helper()
	log := &bytes.Buffer{}
	cfg := config.Default()
	cfg.StateDir = dir
	l := &lab{t: t, log: log, daemon: &daemon{cfg: cfg, log: slog.New(slog.NewTextHandler(log, nil)), toks: newTokenizers(vocabularies{filepath.Join(dir, "vocabularies")})}}
	l.cut.Policy = object.Policy{Strategy: "structural", MaxTokens: 400, Tokenizer: "words", Oversize: "split"}
	var err error
	if l.store, err = store.Open(t.Context(), filepath.Join(dir, "store"), store.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.stop)
	return l
}

// stop is what a daemon does at its end. Stopping twice does no harm.
func (l *lab) stop() {
	l.close()
	l.sources, l.store = nil, nil
}

// start opens sources as the daemon does at its start.
func (l *lab) start(names ...string) {
	l.t.Helper()
	for _, name := range names {
		s, err := l.open(l.t.Context(), name)
		if err != nil {
			l.t.Fatal(err)
		}
		l.sources = append(l.sources, s)
	}
}

func (l *lab) open(ctx context.Context, name string) (*source, error) {
	return openSource(ctx, l.daemon, config.Source{Name: name}, ingest.Deps{Store: l.store})
}

// publish makes files, each of one chunk, a source's whole content.
func (l *lab) publish(name object.Source, files map[object.Path]string) {
	l.t.Helper()
	err := l.store.Stage(l.t.Context(), name, func(st *store.Stage) error {
		edits, err := l.removals(name)
		if err != nil {
			return err
		}
		for _, path := range slices.Sorted(maps.Keys(files)) {
			entry, err := l.put(st, files[path])
			if err != nil {
				return err
			}
			edits[path] = &entry
		}
		u := store.Update{Complete: true}
		for _, path := range slices.Sorted(maps.Keys(edits)) {
			u.Edits = append(u.Edits, store.Edit{Path: path, Entry: edits[path]})
		}
		_, _, err = st.Publish(l.t.Context(), u)
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) removals(name object.Source) (map[object.Path]*object.Entry, error) {
	edits := map[object.Path]*object.Entry{}
	pin, err := l.store.Pin(l.t.Context(), name, 0)
	if err != nil {
		return edits, nil // nothing was published yet
	}
	defer pin.Release()
	for item, err := range pin.All(l.t.Context()) {
		if err != nil {
			return nil, err
		}
		edits[item.Path] = nil
	}
	return edits, nil
}

func (l *lab) put(st *store.Stage, text string) (object.Entry, error) {
	doc := l.cut
	doc.Revision, doc.Bytes = object.Sum([]byte(text)), int64(len(text))
	doc.Coords, doc.Encoding = object.CoordsSource, "utf-8"
	span := object.Span{End: doc.Bytes}
	id, err := st.PutDocument(l.t.Context(), doc, []byte(text), []object.Chunk{{
		Span: span, Section: span, Kind: "paragraph", StartLine: 1, EndLine: 1, Words: object.Sum([]byte(text)),
	}}, nil)
	return object.Entry{Doc: id, Bytes: doc.Bytes, Chunks: 1}, err
}

// many is a source's content that fills more than one page of a segment.
func many(word string) map[object.Path]string {
	files := map[object.Path]string{}
	for i := range 200 {
		files[object.Path(fmt.Sprintf("%03d.md", i))] = fmt.Sprintf("%s number %d of them\n", word, i)
	}
	return files
}

// query runs a query over the named sources, or all.
func (l *lab) query(words string, number uint64, sources ...string) (control.QueryAnswer, error) {
	return l.Query(l.t.Context(), control.Caller{}, control.QueryRequest{
		Words: words, K: 3, Budget: 500, Expand: "none", Generation: number, Sources: sources,
	})
}

// finds checks that a query is answered from the given sources, whole.
func (l *lab) finds(words string, sources ...string) {
	l.t.Helper()
	a, err := l.query(words, 0)
	if err != nil {
		l.t.Fatalf("query %q: %v", words, err)
	}
	got := map[string]bool{}
	for _, h := range a.Hits {
		got[h.Source] = true
		if !strings.Contains(h.Passage.Text, words) {
			l.t.Errorf("query %q found %q", words, h.Passage.Text)
		}
	}
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, sources) {
		l.t.Errorf("query %q found in %v, want %v (degraded: %v)", words, names, sources, a.Degraded)
	}
}
