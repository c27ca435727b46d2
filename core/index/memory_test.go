package index_test

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/cleave-project/cleave/core/index"
	"github.com/cleave-project/cleave/core/object"
)

// memory is a tree of object values in memory, with the contract that pins of the store have. Its documents are cut at
// blank lines; a line that begins with "# " is the breadcrumb of what follows.
type memory struct {
	generation object.Generation
	entries    map[object.Path]object.Entry
	shared     *shared
}

// shared holds what all generations of one source share.
type shared struct {
	documents map[object.ID]object.Document
	chunks    map[object.ID][]object.Chunk
	texts     map[object.ID][]byte
	trees     map[object.ID]map[object.Path]object.Entry
	number    uint64
}

var _ index.Tree = (*memory)(nil)

func newShared() *shared {
	return &shared{
		documents: map[object.ID]object.Document{}, chunks: map[object.ID][]object.Chunk{},
		texts: map[object.ID][]byte{}, trees: map[object.ID]map[object.Path]object.Entry{{}: {}},
	}
}

// put stores a document and returns its entry.
func (s *shared) put(text string) object.Entry {
	doc, chunks := cutAtBlankLines(text)
	id := object.Sum([]byte(fmt.Sprintf("%#v", doc)))
	s.documents[id], s.chunks[id], s.texts[id] = doc, chunks, []byte(text)
	return object.Entry{Doc: id, Bytes: int64(len(text)), Chunks: len(chunks)}
}

func cutAtBlankLines(text string) (object.Document, []object.Chunk) {
	doc := object.Document{
		Revision: object.Sum([]byte(text)), Bytes: int64(len(text)), TextLen: int64(len(text)), Coords: object.CoordsSource,
	}
	var chunks []object.Chunk
	var crumb []string
	start := 0
	for _, paragraph := range strings.SplitAfter(text, "\n\n") {
		end := start + len(paragraph)
		if title, ok := strings.CutPrefix(paragraph, "# "); ok {
			crumb = []string{strings.SplitN(title, "\n", 2)[0]}
		}
		if strings.TrimSpace(paragraph) != "" {
			kind := "paragraph"
			if strings.HasPrefix(paragraph, "    ") {
				kind = "code"
			}
			chunks = append(chunks, object.Chunk{
				Span: object.Span{Start: int64(start), End: int64(end)}, Kind: kind, Breadcrumb: crumb,
				Words: object.Sum([]byte(kind + "\x00" + strings.Join(crumb, "\x00") + "\x00" + paragraph)),
			})
		}
		start = end
	}
	doc.NumChunks = len(chunks)
	return doc, chunks
}

// publish makes the next generation.
func (s *shared) publish(entries map[object.Path]object.Entry) *memory {
	s.number++
	var all strings.Builder
	for _, path := range slices.Sorted(maps.Keys(entries)) {
		fmt.Fprintf(&all, "%q %#v\n", path, entries[path])
	}
	root := object.ID{}
	if len(entries) > 0 {
		root = object.Sum([]byte(all.String()))
	}
	s.trees[root] = maps.Clone(entries)
	return &memory{object.Generation{Number: s.number, Root: root}, s.trees[root], s}
}

// files is publish for documents given as text.
func (s *shared) files(files map[string]string) *memory {
	entries := map[object.Path]object.Entry{}
	for path, text := range files {
		entries[object.Path(path)] = s.put(text)
	}
	return s.publish(entries)
}

func (m *memory) Generation() object.Generation { return m.generation }

func (m *memory) Diff(_ context.Context, from object.ID) iter.Seq2[object.Change, error] {
	return func(yield func(object.Change, error) bool) {
		old, ok := m.shared.trees[from]
		if !ok {
			yield(object.Change{}, fmt.Errorf("no tree %s", from))
			return
		}
		paths := maps.Clone(old)
		maps.Copy(paths, m.entries)
		for _, path := range slices.Sorted(maps.Keys(paths)) {
			change := object.Change{Path: path}
			if e, ok := old[path]; ok {
				change.Old = &e
			}
			if e, ok := m.entries[path]; ok {
				change.New = &e
			}
			if change.Old != nil && change.New != nil && *change.Old == *change.New {
				continue
			}
			if !yield(change, nil) {
				return
			}
		}
	}
}

func (m *memory) Document(_ context.Context, id object.ID) (object.Document, error) {
	doc, ok := m.shared.documents[id]
	if !ok {
		return object.Document{}, fmt.Errorf("no document %s", id)
	}
	return doc, nil
}

func (m *memory) Chunks(_ context.Context, doc object.Document) ([]object.Chunk, error) {
	return m.shared.chunks[object.Sum([]byte(fmt.Sprintf("%#v", doc)))], nil
}

func (m *memory) Text(_ context.Context, doc object.Document, start, end int64) ([]byte, error) {
	return m.shared.texts[object.Sum([]byte(fmt.Sprintf("%#v", doc)))][start:end], nil
}

// oneChange is a tree whose difference to any other is one change, so that only what is made of it is measured.
type oneChange struct {
	*memory
	change object.Change
}

func (o *oneChange) Diff(context.Context, object.ID) iter.Seq2[object.Change, error] {
	return func(yield func(object.Change, error) bool) { yield(o.change, nil) }
}
