package store

import (
	"context"
	"iter"

	"github.com/cleave-project/cleave/core/object"
)

// Stat is what a scan saw of a file, so that the next one can tell that it has not changed. It lies beside the
// generation and not under its root, so that equal trees have equal roots.
type Stat struct {
	_          struct{} `cbor:",toarray"`
	Dev, Inode uint64
	Size       int64     // bytes
	Modified   int64     // mtime, nanoseconds since 1970, as are the next two
	Changed    int64     // ctime
	Scanned    int64     // when the file was read
	Revision   object.ID // of the bytes that were read
	OutlineKey object.ID
	Contract   object.ID // the splitting contract that the document was cut under
	Plugin     string    // name of the plugin that split it
	LeftOut    string    // why the file is not a document; empty if it is
	// Doc is the document that these bytes made, which the head named at this path when the stat was written; zero if
	// they made none. Stat, Failure and head are not written in one transaction: where Doc is not what the head names,
	// the stat is of another generation, or of bytes that failed and have a Failure of the same revision.
	Doc object.ID
}

// StatItem is a path with its Stat.
type StatItem struct {
	Path object.Path
	Stat Stat
}

// Stats gives what is kept for a source in the order of the paths' bytes. Values that are damaged are left out.
func (s *Store) Stats(ctx context.Context, source object.Source) iter.Seq2[StatItem, error] {
	return func(yield func(StatItem, error) bool) {
		for it, err := range s.stats().all(ctx, source) {
			if !yield(StatItem{it.path, it.value}, err) {
				return
			}
		}
	}
}

// Stat is what is kept for one path. False: nothing is, or it is damaged.
func (s *Store) Stat(ctx context.Context, source object.Source, path object.Path) (Stat, bool, error) {
	return s.stats().one(ctx, source, path)
}

// SetStats writes and removes stats; paths that are in neither list keep theirs.
func (s *Store) SetStats(ctx context.Context, source object.Source, puts []StatItem, removes []object.Path) error {
	return s.stats().set(ctx, source, func(yield func(object.Path, Stat) bool) {
		for _, p := range puts {
			if !yield(p.Path, p.Stat) {
				return
			}
		}
	}, removes)
}

func (s *Store) stats() side[Stat] { return side[Stat]{s, "s/"} }
