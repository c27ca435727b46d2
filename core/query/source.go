package query

import (
	"context"
	"fmt"

	"github.com/cleave-project/cleave/core/index"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/token"
)

// Pin is one pinned generation, from which everything of an answer is read (I9).
type Pin interface {
	Generation() object.Generation
	Document(ctx context.Context, id object.ID) (object.Document, error)
	Chunks(ctx context.Context, doc object.Document) ([]object.Chunk, error)
	Text(ctx context.Context, doc object.Document, start, end int64) ([]byte, error)
}

// Index searches one view. A *index.Hold is one.
type Index interface {
	View() *index.View
	Statistics(ctx context.Context, text string) (*index.Statistics, error)
	Search(ctx context.Context, q index.Query) ([]index.Match, error)
}

var _ Index = (*index.Hold)(nil)

// Source is what a query may read of one source. Pin and Index are of the same generation, and stay leased until Run
// has returned.
type Source struct {
	Name  object.Source
	Pin   Pin
	Index Index
	// Admit tells whether the caller may see a document (I10): by the policy it has now, and by e, the entry of the
	// pinned generation. It is asked before ranking and again when a passage is made.
	Admit func(path object.Path, e object.Entry) bool
	// Tokenizer is what a document was cut with, by the name in its policy and its hash. Where that is gone it is another,
	// with a note that says so.
	Tokenizer func(name, hash string) (tok token.Tokenizer, note string)
}

// check refuses a source whose parts are of different generations: the answer would be a mixture.
func (s *Source) check() error {
	pinned, viewed := s.Pin.Generation(), s.Index.View().Generation()
	if pinned.Number != viewed.Number || pinned.Root != viewed.Root {
		return fmt.Errorf("source %s: pin of generation %d, view of %d", s.Name, pinned.Number, viewed.Number)
	}
	return nil
}
