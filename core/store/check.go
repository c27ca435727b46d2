package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/cleave-project/cleave/core/object"
)

// Problem is something Check found wrong.
type Problem struct {
	Source object.Source
	Number uint64 // generation in which it was met first; 0 if the source's head or chain is at fault
	Err    error
}

func (p Problem) String() string {
	return fmt.Sprintf("source %s, generation %d: %v", p.Source, p.Number, p.Err)
}

// Check reads every object that any generation of any source reaches, each once, and calls report for what is missing,
// damaged or at odds with the record that names it, in the calling goroutine. It ends early only when ctx does.
func (s *Store) Check(ctx context.Context, report func(Problem)) error {
	s.mu.Lock()
	var sources []object.Source
	for source := range s.heads {
		if s.refused[source] == nil {
			sources = append(sources, source)
		}
	}
	for source, err := range s.refused {
		report(Problem{Source: source, Err: err})
	}
	s.mu.Unlock()
	c := checker{s: s, seen: map[object.ID]bool{}, report: report}
	for _, source := range sources {
		if err := c.source(ctx, source); err != nil {
			return err
		}
	}
	return nil
}

type checker struct {
	s      *Store
	seen   map[object.ID]bool
	report func(Problem)
}

func (c *checker) source(ctx context.Context, source object.Source) error {
	gens, err := c.s.Generations(ctx, source)
	if err != nil {
		return c.found(source, 0, err)
	}
	for _, g := range gens {
		if err := c.generation(ctx, g); err != nil {
			return err
		}
	}
	return nil
}

// found reports what is wrong and returns what ends the check: a context that is done, a store that is closed.
func (c *checker) found(source object.Source, number uint64, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrClosed) {
		return err
	}
	c.report(Problem{Source: source, Number: number, Err: err})
	return nil
}

// generation checks the pages that no later generation has, and what their entries name. A damaged page hides what is
// below it, so it is reported and the rest of the generation goes unread; the counts of its siblings still are.
func (c *checker) generation(ctx context.Context, g object.Generation) error {
	tree := object.Tree{Load: func(_ context.Context, id object.ID) (object.Page, error) { return c.s.page(id) }}
	err := tree.Pages(ctx, g.Root, func(id object.ID) bool { return c.seen[id] }, func(id object.ID, p object.Page) error {
		c.seen[id] = true
		for _, it := range p.Items {
			if err := c.found(g.Source, g.Number, c.entry(it)); err != nil {
				return err
			}
		}
		for _, ch := range p.Children {
			if err := c.found(g.Source, g.Number, c.child(ctx, tree, ch)); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		var sum object.Child
		if sum, err = tree.Summary(ctx, g.Root); err == nil && sum.Counts != g.Counts {
			err = &DamageError{ID: g.Root, Why: "its counts are not the generation's"}
		}
	}
	return c.found(g.Source, g.Number, err)
}

// child checks that a page is what its parent says of it.
func (c *checker) child(ctx context.Context, tree object.Tree, ch object.Child) error {
	if c.seen[ch.Page] {
		return nil
	}
	sum, err := tree.Summary(ctx, ch.Page)
	if err == nil && sum != ch {
		err = &DamageError{ID: ch.Page, Why: "it is not what its parent says"}
	}
	return err
}

func (c *checker) entry(it object.Item) error {
	id := it.Entry.Doc
	if id.IsZero() || c.seen[id] {
		return nil
	}
	c.seen[id] = true
	doc, err := c.s.document(id)
	if err != nil {
		return fmt.Errorf("path %q: %w", it.Path, err)
	}
	for _, part := range []func(object.Document) error{c.text, c.chunks, c.segments} {
		if err := part(doc); err != nil {
			return fmt.Errorf("path %q: %w", it.Path, err)
		}
	}
	return nil
}

func (c *checker) text(doc object.Document) error {
	if want := (doc.TextLen + object.BlockSize - 1) / object.BlockSize; int64(len(doc.Text)) != want {
		return fmt.Errorf("%d text blocks, not %d", len(doc.Text), want)
	}
	for i := range doc.Text {
		if _, err := c.s.block(doc, int64(i)); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) chunks(doc object.Document) error {
	if want := (doc.NumChunks + object.ChunksPerPage - 1) / object.ChunksPerPage; len(doc.Chunks) != want {
		return fmt.Errorf("%d chunk pages, not %d", len(doc.Chunks), want)
	}
	for i := range doc.Chunks {
		page, err := c.s.chunkPage(doc, i)
		if err != nil {
			return err
		}
		for _, ch := range page {
			if ch.Span.Start < 0 || ch.Span.End < ch.Span.Start || ch.Span.End > doc.TextLen {
				return fmt.Errorf("chunk span [%d,%d) of %d bytes", ch.Span.Start, ch.Span.End, doc.TextLen)
			}
		}
	}
	return nil
}

func (c *checker) segments(doc object.Document) error {
	for _, id := range doc.Segments {
		if _, err := c.s.segmentPage(id); err != nil {
			return err
		}
	}
	return nil
}
