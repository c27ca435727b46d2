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
	if err := x.writing.take(ctx); err != nil {
		return err
	}
	defer x.writing.give()
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
	if f.mark.Number == 0 {
		from = nil // nothing is there of any generation
	}
	var root object.ID
	if from != nil {
		if !f.mark.of(from.Generation()) {
			return ErrMark
		}
		root = from.Generation().Root
		if f.sums, err = lengthsOf(f.reader); err != nil {
			return err
		}
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
	f.batcher.seal = func(last *api.Batch) {
		last.SetInternal([]byte(markKey), Mark{Number: g.Number, Root: g.Root}.encode())
		last.SetInternal([]byte(lengthsKey), f.lengths().encode())
	}
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
	sums    lengths  // of the rows the tree uses, without those that were put in
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
	if err != nil {
		reader.Close()
		return nil, err
	}
	f.batcher, f.empty = x.newBatcher(), n == 0
	return f, nil
}

func (f *fill) close() {
	f.batcher.abandon()
	f.reader.Close()
}

// lengths are those of the tree's rows, as far as they have been analysed.
func (f *fill) lengths() lengths {
	l := f.sums
	l.add(f.batcher.sums)
	return l
}

// change writes the rows of one changed document and notes the ones it no longer has.
func (f *fill) change(ctx context.Context, from Tree, change object.Change) error {
	if change.Old != nil && change.New != nil && change.Old.Doc == change.New.Doc {
		return nil // metadata only: the rows say nothing of it (C5)
	}
	before, now := new(Document), new(Document)
	if from != nil && change.Old != nil && !change.Old.Doc.IsZero() {
		d, err := documentOf(ctx, from, object.Change{Path: change.Path, New: change.Old}, nil)
		if err != nil {
			return err
		}
		before = d
	}
	if change.New != nil && !change.New.Doc.IsZero() {
		d, err := f.document(ctx, change.Path, change.New.Doc, before)
		if err != nil {
			return err
		}
		now = d
	}
	path := keyOfPath(change.Path)
	for words := range before.words() {
		if len(now.chunksOf(words)) == 0 {
			if err := f.drop(rowKey(path, words)); err != nil {
				return err
			}
		}
	}
	return nil
}

// drop notes a row that the tree no longer uses.
func (f *fill) drop(key string) error {
	f.gone = append(f.gone, key)
	l, there, err := rowLengths(f.reader, key)
	if err == nil && !there {
		err = errLost
	}
	f.sums.remove(l)
	return err
}

// errLost: every row of the marked generation is in the index, and this one is not.
var errLost = &DamageError{What: "a row of the marked generation is missing"}

// document writes the rows of one document that are not in the index yet. What before holds has been counted.
func (f *fill) document(ctx context.Context, path object.Path, id object.ID, before *Document) (*Document, error) {
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
		key := rowKey(p, words)
		f.added = append(f.added, key)
		if len(before.chunksOf(words)) > 0 {
			continue
		}
		if err := f.row(ctx, key, path, &text, &chunks[i]); err != nil {
			return nil, err
		}
	}
	return newDocument(path, object.Entry{Doc: id}, &doc, chunks), nil
}

// row writes a row where it is not in the index yet, and counts it in any case.
func (f *fill) row(ctx context.Context, key string, path object.Path, text *textReader, c *object.Chunk) error {
	l, there, err := f.has(key)
	f.sums.add(l)
	if err != nil || there {
		return err
	}
	words, err := text.span(ctx, c.Span)
	if err != nil {
		return err
	}
	return f.batcher.add(ctx, newRow(key, path, text.doc, c, words))
}

// has tells whether a row was in the index before, and its lengths.
func (f *fill) has(key string) (lengths, bool, error) {
	if f.empty {
		return lengths{}, false, nil
	}
	return rowLengths(f.reader, key)
}
