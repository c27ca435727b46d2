package query

import (
	"errors"
	"fmt"
	"time"

	"github.com/cleave-project/cleave/core/glob"
)

// ErrRequest marks what is wrong with the request itself.
var ErrRequest = errors.New("bad query")

// Expand says what is returned around a match.
type Expand string

// ExpandSection: the innermost section of the document around the match. ExpandWindow: Window chunks on both sides.
// ExpandNone: the chunk.
const (
	ExpandNone    Expand = "none"
	ExpandWindow  Expand = "window"
	ExpandSection Expand = "section"
)

// Request is one question. The zero value of each filter lets everything pass; K, Expand and Budget have to be set. How
// much may be asked for, and what a caller gets who leaves it open, is said once, where requests come in: core/control.
type Request struct {
	Text string
	K    int // hits at most, from 1

	Path   string    // glob, as core/glob has it
	Kind   string    // of the chunk
	Lang   string    // of the chunk, or else of its document; "en" also means "en-GB"
	Author string    // part of what the document says, in any case of letters
	After  time.Time // the document's date, or else the time it was modified, is not before this
	Before time.Time // and is before this
	AsOf   time.Time // effective from <= AsOf < effective to

	Expand  Expand
	Window  int // chunks on each side, from 0
	Budget  int // tokens of all passages together, from 1
	Explain bool
}

// check refuses what cannot be meant.
func (r *Request) check() error {
	switch {
	case r.K < 1:
		return fmt.Errorf("%w: %d hits (at least 1)", ErrRequest, r.K)
	case r.Budget < 1:
		return fmt.Errorf("%w: a budget of %d tokens (at least 1)", ErrRequest, r.Budget)
	case r.Window < 0:
		return fmt.Errorf("%w: a window of %d chunks (at least 0)", ErrRequest, r.Window)
	case r.Expand != ExpandNone && r.Expand != ExpandWindow && r.Expand != ExpandSection:
		return fmt.Errorf("%w: expand %q (none, window or section)", ErrRequest, r.Expand)
	}
	if r.Path != "" && glob.Valid(r.Path) != nil {
		return fmt.Errorf("%w: path %q: %w", ErrRequest, r.Path, glob.ErrBadPattern)
	}
	return nil
}
