package daemon

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/cleave-project/cleave/core/config"
	"github.com/cleave-project/cleave/core/ingest"
	"github.com/cleave-project/cleave/core/object"
)

// source is one configured source: the loop that scans it, and what is served of it.
type source struct {
	name    object.Source
	cfg     config.Source
	in      ingest.Source
	deps    ingest.Deps
	journal *slog.Logger
	rescan  time.Duration

	calls  chan scanCall
	revive func(context.Context)
	now    condition

	ids chunkPaths

	indexDir  string // holds the volumes
	sweepOwed bool   // the loop's own

	serving sync.Mutex // guards all below and the leases on it
	newest  *served    // nil: no generation yet
	older   older
	volume  *volume // nil: not opened yet, or it cannot be opened
}

// scanCall asks the loop for a scan that begins after the call was made.
type scanCall struct {
	reason   string
	accept   bool
	progress func(ingest.Progress)
	answer   chan<- scanEnd // has room for one
}

// scanEnd is how a scan ended.
type scanEnd struct {
	report ingest.Report
	err    error
}

// maxCalls bounds how many requests may wait for one source's next scan; all of them share it.
const maxCalls = 64

func openSource(ctx context.Context, d *daemon, c config.Source, deps ingest.Deps) (*source, error) {
	s := &source{
		name: object.Source(c.Name), cfg: c, deps: deps, journal: d.log, indexDir: filepath.Join(d.cfg.StateDir, "index", c.Name), rescan: d.cfg.Watch.Rescan,
		calls: make(chan scanCall, maxCalls), revive: d.plugins.Revive,
		in: ingest.Source{
			Name: object.Source(c.Name), Root: c.Root, Include: c.Include, Exclude: c.Exclude,
			Hidden: d.cfg.Files.Hidden, MaxSize: int64(d.cfg.Files.MaxSize),
			Policy: func(p object.Path) object.Policy { return policyOf(c.Policy(d.cfg.Chunking, string(p))) },
		},
	}
	if err := s.advance(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, errors.Join(err, s.close())
		}
		// One source's store or index may be damaged; the others are served, and status says what is wrong with this one.
		d.log.Error("source not served", "source", c.Name, "error", err)
		s.now.end(ingest.Report{}, err)
	}
	return s, nil
}

// close gives up what is served. A volume that a query still has a lease on is closed with that.
func (s *source) close() error {
	s.serving.Lock()
	ended := s.older.dropLocked()
	if s.newest != nil {
		ended = append(ended, s.newest.releaseLocked())
		s.newest = nil
	}
	if s.volume != nil && s.volume.unrefLocked() {
		ended = append(ended, s.volume)
	}
	s.volume = nil
	s.serving.Unlock()
	var all error
	for _, v := range ended {
		if v != nil {
			all = errors.Join(all, v.end())
		}
	}
	return all
}

// loop scans at start, when the timer says so, and when it is asked to, one scan at a time, until ctx ends. Whatever
// asked while a scan ran gets the next one: it may have seen what the running one did not.
func (s *source) loop(ctx context.Context) error {
	calls := []scanCall{{reason: "start"}}
	for {
		if len(calls) > 0 {
			s.answer(calls, s.scan(ctx, calls))
		}
		timer := time.NewTimer(s.rescan)
		s.now.next(time.Now().Add(s.rescan))
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
			calls = []scanCall{{reason: "timer"}}
		case c := <-s.calls:
			timer.Stop()
			calls = s.drain(c)
		}
	}
}

// drain takes all calls that wait, first among them.
func (s *source) drain(first scanCall) []scanCall {
	calls := []scanCall{first}
	for {
		select {
		case c := <-s.calls:
			calls = append(calls, c)
		default:
			return calls
		}
	}
}

func (s *source) answer(calls []scanCall, end scanEnd) {
	for _, c := range calls {
		if c.answer != nil {
			c.answer <- end
		}
	}
}

// scan is hops 3-11: ingest, then everything that is derived, then what is served.
func (s *source) scan(ctx context.Context, calls []scanCall) scanEnd {
	req := ingest.Request{Reason: calls[0].reason, Progress: func(p ingest.Progress) {
		s.now.progress(p)
		for _, c := range calls {
			if c.progress != nil {
				c.progress(p)
			}
		}
	}}
	for _, c := range calls {
		req.AcceptRoot = req.AcceptRoot || c.accept
	}
	s.now.begin()
	s.revive(ctx) // a plugin that comes back claims its files before they are routed
	report, err := ingest.Run(ctx, s.deps, s.in, req)
	if ctx.Err() == nil { // also after a scan that failed: what is published is served, and a damaged index mended
		switch served := s.advance(ctx); {
		case err == nil:
			err = served
		case served != nil:
			s.journal.Error("what is published is not served", "source", string(s.name), "error", served)
		}
	}
	s.now.end(report, err)
	s.log(ctx, req, report, err)
	return scanEnd{report, err}
}

func (s *source) log(ctx context.Context, req ingest.Request, r ingest.Report, err error) {
	log := s.journal.With("source", string(s.name))
	switch {
	case err != nil && ctx.Err() != nil:
		log.Info("scan stopped")
	case ingest.IsUnavailable(err):
		log.Warn("source unavailable; what was indexed stays", "error", err)
	case err != nil:
		log.Error("scan failed; what was indexed stays", "error", err)
	case r.Published:
		log.Info("published", "generation", r.Generation.Number, "reason", req.Reason, "documents", r.Generation.Counts.Documents,
			"chunks", r.Generation.Counts.Chunks, "failed", r.Failed, "left_out", r.LeftOut, "complete", r.Complete,
			"written", r.Written, "took_ms", r.Took.Milliseconds())
	default:
		log.Debug("unchanged", "generation", r.Generation.Number, "reason", req.Reason, "took_ms", r.Took.Milliseconds())
	}
	tell(log, r)
}

// tell logs what a run met.
func tell(log *slog.Logger, r ingest.Report) {
	if r.Mended != nil {
		log.Warn("damage in the store mended from the files", "error", r.Mended)
	}
	for _, u := range r.Unreadable {
		log.Warn("not readable; carried over", "path", u)
	}
	for _, p := range r.Down {
		log.Warn("plugin down; its documents wait", "plugin", p.Plugin, "documents", p.Documents, "error", p.Why)
	}
	for _, q := range r.Quarantined {
		log.Warn("document quarantined", "path", string(q.Path), "plugin", q.Failure.Plugin, "code", q.Failure.Code,
			"error", q.Failure.Message, "tries", q.Failure.Tries)
		if q.Stack != "" {
			log.Error("bug: a panic cost one document", "path", string(q.Path), "stack", q.Stack)
		}
	}
	if r.Unnamed > 0 {
		log.Warn("more documents quarantined", "count", r.Unnamed)
	}
}

// request asks for a scan and waits for its end, or for the end of ctx.
func (s *source) request(ctx context.Context, accept bool, progress func(ingest.Progress)) scanEnd {
	answer := make(chan scanEnd, 1)
	call := scanCall{reason: "scan", accept: accept, progress: progress, answer: answer}
	select {
	case s.calls <- call:
	case <-ctx.Done():
		return scanEnd{err: ctx.Err()}
	}
	select {
	case end := <-answer:
		return end
	case <-ctx.Done():
		return scanEnd{err: ctx.Err()}
	}
}

// enqueue asks for a scan and does not wait. Where the queue is full a scan is coming anyway, but perhaps one that does
// not accept the root: false says that the call was not taken.
func (s *source) enqueue(accept bool) bool {
	select {
	case s.calls <- scanCall{reason: "scan", accept: accept}:
		return true
	default:
		return false
	}
}
