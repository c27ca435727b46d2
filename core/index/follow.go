package index

import (
	"context"
	"fmt"

	api "github.com/blevesearch/bleve_index_api"

	"github.com/cleave-project/cleave/core/object"
)

// Follow brings the index from generation from to generation to: the new rows go in, then the mark is moved in the last
// batch and all is durable. Rows that to does not use are remembered for Sweep. from is a pin of the marked generation,
// or nil, which stands for the empty tree and is right for any mark: rows that are there already are not written again.
// After an error the mark has not moved and Follow may be called again.
func (x *Index) Follow(ctx context.Context, from, to Tree) error {
	x.writing.Lock()
	defer x.writing.Unlock()
	generation := to.Generation()
	if err := x.follow(ctx, from, to); err != nil {
		return fmt.Errorf("index: follow to generation %d: %w", generation.Number, err)
	}
	return nil
}

func (x *Index) follow(ctx context.Context, from, to Tree) error {
	f, err := x.newFill(to)
	if err != nil {
		return err
	}
	defer f.close()
	var root object.ID
	if from != nil {
		if f.mark.Number != 0 && !f.mark.of(from.Generation()) {
			return ErrMark
		}
		root = from.Generation().Root
	}
	for change, err := range to.Diff(ctx, root) {
		if err == nil {
			err = f.change(ctx, from, change)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", change.Path, err)
		}
	}
	g := to.Generation()
	f.batcher.batch.SetInternal([]byte(markKey), Mark{Number: g.Number, Root: g.Root}.encode())
	if err := f.batcher.finish(ctx); err != nil {
		return err
	}
	x.remember(f.gone, f.added)
	return nil
}

// remember keeps book of the rows that Sweep has to look at: gone ones are, added ones are used by the marked generation.
func (x *Index) remember(gone, added []string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, key := range gone {
		x.spare[key] = struct{}{}
	}
	for _, key := range added {
		delete(x.spare, key)
	}
}

// fill writes rows of one tree.
type fill struct {
	x       *Index
	reader  api.IndexReader // as it was before
	empty   bool            // it held no rows at all
	mark    Mark
	tree    Tree
	batcher *batcher
	added   []string // rows the tree uses in what changed
	gone    []string // rows it no longer uses there
}

func (x *Index) newFill(t Tree) (*fill, error) {
	reader, err := x.engine.Reader()
	if err != nil {
		return nil, err
	}
	f := &fill{x: x, reader: reader, tree: t}
	n, err := reader.DocCount()
	if err == nil {
		f.mark, err = markOf(reader)
	}
	if err == nil {
		f.batcher, err = x.newBatcher(reader)
	}
	if err != nil {
		reader.Close()
		return nil, err
	}
	f.empty = n == 0
	return f, nil
}

func (f *fill) close() {
	f.batcher.abandon()
	f.reader.Close()
}

// change writes the rows of one changed document and notes the ones it no longer has.
func (f *fill) change(ctx context.Context, from Tree, change object.Change) error {
	if change.Old != nil && change.New != nil && change.Old.Doc == change.New.Doc {
		return nil // metadata only: the rows say nothing of it (C5)
	}
	var now *Document
	if change.New != nil && !change.New.Doc.IsZero() {
		d, err := f.document(ctx, change.Path, change.New.Doc)
		if err != nil {
			return err
		}
		now = d
	}
	if from == nil || change.Old == nil || change.Old.Doc.IsZero() {
		return nil
	}
	before, err := documentOf(ctx, from, object.Change{Path: change.Path, New: change.Old}, nil)
	if err != nil {
		return err
	}
	path := keyOfPath(change.Path)
	for _, r := range before.rows {
		if now == nil || len(now.chunksOf(r.words)) == 0 {
			f.gone = append(f.gone, rowKey(path, r.words))
		}
	}
	return nil
}

// document writes the rows of one document that are not in the index yet.
func (f *fill) document(ctx context.Context, path object.Path, id object.ID) (*Document, error) {
	doc, err := f.tree.Document(ctx, id)
	if err != nil {
		return nil, err
	}
	chunks, err := f.tree.Chunks(ctx, doc)
	if err != nil {
		return nil, err
	}
	text := textReader{tree: f.tree, doc: &doc}
	p := keyOfPath(path)
	seen := make(map[wordsKey]struct{}, len(chunks))
	for i := range chunks {
		words := keyOfWords(&doc, &chunks[i])
		if _, twice := seen[words]; twice {
			continue
		}
		seen[words] = struct{}{}
		if err := f.row(ctx, rowKey(p, words), path, &text, &chunks[i]); err != nil {
			return nil, err
		}
	}
	return newDocument(path, object.Entry{Doc: id}, &doc, chunks), nil
}

// row writes a row where it is not in the index yet.
func (f *fill) row(ctx context.Context, key string, path object.Path, text *textReader, c *object.Chunk) error {
	f.added = append(f.added, key)
	there, err := f.has(key)
	if err != nil || there {
		return err
	}
	words, err := text.span(ctx, c.Span)
	if err != nil {
		return err
	}
	return f.batcher.add(ctx, newRow(key, path, text.doc, c, words))
}

// has tells whether a row was in the index before.
func (f *fill) has(key string) (there bool, err error) {
	if f.empty {
		return false, nil
	}
	defer recoverDamage(&err)
	id, err := f.reader.InternalID(key)
	return id != nil, err
}
