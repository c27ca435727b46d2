package control

import (
	"slices"
	"strings"
	"time"
)

// What a question leaves open.
const (
	DefaultHits   = 10        // what a person looks through
	DefaultBudget = 2000      // tokens: what a prompt has room for beside the question
	DefaultExpand = "section" // the author's own unit
	DefaultWindow = 1         // neighbours on each side
)

// The most that may be asked for. core/query has no limits of its own.
const (
	// maxHits bounds an answer: more than a person or a model reads.
	maxHits = 1000
	// maxBudget bounds the text of an answer in tokens: the longest context windows there are.
	maxBudget = 1_000_000
	// maxWindow bounds the neighbours that are read for a hit.
	maxWindow = 100
)

// checker is a request that can be wrong in itself. The server checks before it asks the service.
type checker interface{ Check() error }

// orDefaults gives the request with what it leaves open.
func (r QueryRequest) orDefaults() QueryRequest {
	if r.K == 0 {
		r.K = DefaultHits
	}
	if r.Expand == "" {
		r.Expand = DefaultExpand
	}
	if r.Window == nil {
		r.Window = new(DefaultWindow)
	}
	if r.Budget == 0 {
		r.Budget = DefaultBudget
	}
	return r
}

// Check fills what the request leaves open and refuses what cannot be answered.
func (r *QueryRequest) Check() error {
	*r = r.orDefaults()
	switch {
	case r.Fresh:
		return NotInForce("--fresh")
	case r.Timeout != 0:
		return NotInForce("--timeout")
	case strings.TrimSpace(r.Words) == "":
		return Usage("no words to look for (give some)")
	case r.K < 1 || r.K > maxHits:
		return Usage("-k %d: not in 1 to %d", r.K, maxHits)
	case r.Budget < 1 || r.Budget > maxBudget:
		return Usage("--budget %d: not in 1 to %d", r.Budget, maxBudget)
	case *r.Window < 0 || *r.Window > maxWindow:
		return Usage("--window %d: not in 0 to %d", *r.Window, maxWindow)
	case !slices.Contains([]string{"none", "window", "section"}, r.Expand):
		return Usage("--expand %s: not none, window or section", r.Expand)
	case r.Generation != 0 && len(r.Sources) != 1:
		return Usage("--generation %d: a number is of one source (add --source)", r.Generation)
	}
	return r.checkDates()
}

func (r *QueryRequest) checkDates() error {
	for _, d := range []struct{ flag, value string }{{"--after", r.After}, {"--before", r.Before}, {"--as-of", r.AsOf}} {
		if d.value == "" {
			continue
		}
		_, day := time.Parse(time.DateOnly, d.value)
		_, moment := time.Parse(time.RFC3339, d.value)
		if day != nil && moment != nil {
			return Usage("%s %s: not a date like 2026-11-30 (nor a time like 2026-11-30T20:00:00Z)", d.flag, d.value)
		}
	}
	return nil
}

// Check refuses a request that names neither a chunk nor a document, or both.
func (r *ShowRequest) Check() error {
	byPath := r.Source != "" && r.Path != ""
	if (r.ID != "") == byPath {
		return Usage("name a chunk by its id, or a document as SOURCE:PATH")
	}
	return nil
}

// Check refuses a request without a source.
func (r *GenerationsRequest) Check() error {
	if r.Source == "" {
		return Usage("no source is named")
	}
	return nil
}
