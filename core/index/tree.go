package index

import (
	"context"
	"iter"

	"github.com/cleave-project/cleave/core/object"
)

// Tree is one pinned generation. All of it stays readable for as long as the methods below are being called.
type Tree interface {
	Generation() object.Generation
	// Diff yields, in path order, what differs from the tree beneath the root page from; the zero ID is the empty tree.
	Diff(ctx context.Context, from object.ID) iter.Seq2[object.Change, error]
	Document(ctx context.Context, id object.ID) (object.Document, error)
	Chunks(ctx context.Context, doc object.Document) ([]object.Chunk, error)
	// Text returns the bytes [start, end) of the document's text.
	Text(ctx context.Context, doc object.Document, start, end int64) ([]byte, error)
}
