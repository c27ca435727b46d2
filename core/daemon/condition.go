package daemon

import (
	"errors"
	"sync"
	"time"

	"github.com/cleave-project/cleave/core/ingest"
	"github.com/cleave-project/cleave/core/scan"
)

// The states of a source, as the contract names them.
const (
	stateCurrent     = "current"
	stateScanning    = "scanning"
	stateDegraded    = "degraded"
	stateUnavailable = "unavailable"
)

// condition is how a source stands: what the last scan said and what the running one does. The loop writes it, status
// reads it.
type condition struct {
	mu           sync.Mutex // guards all below
	scanning     bool
	done, total  int
	state        string // of the last scan that ended; empty: none has
	reason       string
	complete     bool
	lastScan     time.Time
	lastComplete time.Time
	begun        time.Time // when the running scan began
	seen         time.Time // when the last complete scan began: every change before it is in the head
	nextScan     time.Time
}

func (c *condition) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scanning, c.done, c.total, c.begun = true, 0, 0, time.Now()
}

func (c *condition) progress(p ingest.Progress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done, c.total = p.Done, p.Total
}

func (c *condition) next(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.nextScan = at
}

func (c *condition) end(r ingest.Report, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scanning, c.complete = false, err == nil && r.Complete
	c.lastScan = time.Now()
	c.state, c.reason = stateOf(r, err)
	if c.complete {
		c.lastComplete, c.seen = c.lastScan, c.begun
	}
}

// trouble is why what is served may not be what the tree holds; empty where the last scan was complete.
func (c *condition) trouble() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.state == "" && c.scanning:
		return "the first scan since the start has not ended"
	case c.state == stateCurrent || c.state == "":
		return ""
	}
	return c.state + ": " + c.reason
}

// stateOf says in one line why a source is not current.
func stateOf(r ingest.Report, err error) (state, reason string) {
	var root *scan.RootError
	switch {
	case errors.As(err, &root):
		return stateUnavailable, root.Error()
	case err != nil:
		return stateDegraded, err.Error()
	case !r.Complete && len(r.Unreadable) > 0:
		return stateDegraded, "not readable, carried over: " + r.Unreadable[0]
	case !r.Complete:
		return stateDegraded, "part of the tree is not readable and carried over"
	}
	return stateCurrent, ""
}
