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

// Request is one question. The zero value of each filter lets everything pass.
type Request struct {
	Text string
	K    int // hits at most; 0: 10

	Path   string    // glob, as core/glob has it
	Kind   string    // of the chunk
	Lang   string    // of the chunk, or else of its document; "en" also means "en-GB"
	Author string    // part of what the document says, in any case of letters
	After  time.Time // the document's date, or else the time it was modified, is not before this
	Before time.Time // and is before this
	AsOf   time.Time // effective from <= AsOf < effective to

	Expand  Expand // empty: section
	Window  int    // chunks on each side; 0: 1
	Budget  int    // tokens of all passages together; 0: 2000
	Explain bool
}

// The defaults of the command line, and bounds that keep a request from asking for a corpus.
const (
	defaultK      = 10
	defaultBudget = 2000
	maxK          = 1000
	maxWindow     = 1000
	maxBudget     = 10_000_000
	maxText       = 64 << 10 // bytes
)

// complete fills in the defaults and refuses what cannot be meant.
func (r Request) complete() (Request, error) {
	if r.K == 0 {
		r.K = defaultK
	}
	if r.Budget == 0 {
		r.Budget = defaultBudget
	}
	if r.Window == 0 {
		r.Window = 1
	}
	if r.Expand == "" {
		r.Expand = ExpandSection
	}
	switch {
	case len(r.Text) > maxText:
		return r, fmt.Errorf("%w: a question of %d bytes (at most %d)", ErrRequest, len(r.Text), maxText)
	case r.K < 0 || r.K > maxK:
		return r, fmt.Errorf("%w: %d hits (1 to %d)", ErrRequest, r.K, maxK)
	case r.Budget < 0 || r.Budget > maxBudget:
		return r, fmt.Errorf("%w: a budget of %d tokens (1 to %d)", ErrRequest, r.Budget, maxBudget)
	case r.Window < 0 || r.Window > maxWindow:
		return r, fmt.Errorf("%w: a window of %d chunks (1 to %d)", ErrRequest, r.Window, maxWindow)
	case r.Expand != ExpandNone && r.Expand != ExpandWindow && r.Expand != ExpandSection:
		return r, fmt.Errorf("%w: expand %q (none, window or section)", ErrRequest, r.Expand)
	}
	if r.Path != "" && glob.Valid(r.Path) != nil {
		return r, fmt.Errorf("%w: path %q: %w", ErrRequest, r.Path, glob.ErrBadPattern)
	}
	return r, nil
}
