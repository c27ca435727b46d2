package ingest

import (
	"time"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// Report says how a run ended, and what of it an operator should know.
type Report struct {
	Generation object.Generation // the head after the run
	Published  bool
	Complete   bool     // every directory and file that belongs to the source was read
	Failed     int      // documents that are stale or failed in the head because they could not be split
	LeftOut    int      // files and directories that are no documents, by our own judgement
	Unreadable []string // directories and files that were carried, with the reason, at most maxNamed
	Mended     error    // the damage for which the head was made anew from the files, as a whole; nil: none
	Written    int64    // bytes of keys and values that the generation took in the store
	Took       time.Duration

	Quarantined []Quarantine // files that this run tried and that failed, at most maxQuarantined
	Unnamed     int          // how many more there are
	Down        []Down       // plugins that could not be asked, in the order they were met
}

// Quarantine is a file that failed in this run.
type Quarantine struct {
	Path    object.Path
	Failure store.Failure
	Stack   string // of a panic of our own, else empty
}

// Down is a plugin that could not be asked about the files it claims. They wait for it as they are.
type Down struct {
	Plugin, Why string
	Documents   int
}

const (
	// maxNamed bounds how many unreadable paths a report names; counts are exact all the same.
	maxNamed = 20
	// maxQuarantined bounds what a report holds and a log is told of a tree full of bad files; all of them are recorded.
	maxQuarantined = 1000
)

// note counts one outcome.
func (r *Report) note(o outcome) {
	if o.carried != "" {
		r.Complete = false
		if !o.beneath && len(r.Unreadable) < maxNamed {
			r.Unreadable = append(r.Unreadable, o.carried)
		}
	}
	if o.failure != nil && o.carried == "" {
		r.Failed++
	}
	if o.entry == nil {
		r.LeftOut++
	}
	if o.down != "" {
		r.noteDown(o.failure.Plugin, o.down)
	}
	switch {
	case o.quarantine == nil:
	case len(r.Quarantined) < maxQuarantined:
		r.Quarantined = append(r.Quarantined, *o.quarantine)
	default:
		r.Unnamed++
	}
}

func (r *Report) noteDown(plugin, why string) {
	for i := range r.Down {
		if r.Down[i].Plugin == plugin && r.Down[i].Why == why {
			r.Down[i].Documents++
			return
		}
	}
	r.Down = append(r.Down, Down{Plugin: plugin, Why: why, Documents: 1})
}
