package store

import (
	"context"

	"github.com/cleave-project/cleave/core/object"
)

// Failure is why a document could not be split, kept so that the same bytes are not tried under the same contract
// again before Next.
type Failure struct {
	_         struct{} `cbor:",toarray"`
	Code      string   // one of the contract's codes
	Message   string
	Plugin    string
	PluginSHA string
	Revision  object.ID
	Contract  object.ID
	Tries     int
	First     int64 // nanoseconds since 1970, as are the next two
	Last      int64
	Next      int64 // not tried again before
}

// FailureItem is a path with its Failure.
type FailureItem struct {
	Path    object.Path
	Failure Failure
}

// Failures are the failures of a source in the order of the paths' bytes. Values that are damaged are left out.
func (s *Store) Failures(ctx context.Context, source object.Source) ([]FailureItem, error) {
	var out []FailureItem
	for f, err := range s.failures().all(ctx, source) {
		if err != nil {
			return nil, err
		}
		out = append(out, FailureItem{f.path, f.value})
	}
	return out, nil
}

// Failure is what is kept for one path. False: nothing is, or it is damaged.
func (s *Store) Failure(ctx context.Context, source object.Source, path object.Path) (Failure, bool, error) {
	return s.failures().one(ctx, source, path)
}

// SetFailures writes and removes failures; paths that are in neither list keep theirs.
func (s *Store) SetFailures(ctx context.Context, source object.Source, puts []FailureItem, removes []object.Path) error {
	return s.failures().set(ctx, source, func(yield func(object.Path, Failure) bool) {
		for _, p := range puts {
			if !yield(p.Path, p.Failure) {
				return
			}
		}
	}, removes)
}

func (s *Store) failures() side[Failure] { return side[Failure]{s, "q/"} }
