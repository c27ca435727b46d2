package daemon

import (
	"context"
	"slices"
	"sync"

	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/ingest"
)

// Scan asks the named sources, or all, for a scan, side by side. An unavailable root is an answer (exit 3), not an
// error.
func (d *daemon) Scan(ctx context.Context, _ control.Caller, r control.ScanRequest, progress func(control.Progress)) (control.ScanAnswer, error) {
	chosen, err := d.choose(r.Sources)
	if err != nil {
		return control.ScanAnswer{}, err
	}
	if !r.Wait {
		return d.enqueue(chosen, r.AcceptRoot)
	}
	var mu sync.Mutex // progress is called for one source at a time
	answer := control.ScanAnswer{Sources: make([]control.SourceScan, len(chosen))}
	var all sync.WaitGroup // what goes wrong with one source is in its part of the answer
	for i, s := range chosen {
		all.Go(func() {
			answer.Sources[i] = s.scanned(s.request(ctx, r.AcceptRoot, func(p ingest.Progress) {
				mu.Lock()
				defer mu.Unlock()
				progress(control.Progress{Source: string(s.name), Done: p.Done, Total: p.Total})
			}))
		})
	}
	all.Wait()
	return answer, ctx.Err()
}

func (d *daemon) enqueue(chosen []*source, accept bool) (control.ScanAnswer, error) {
	var answer control.ScanAnswer
	for _, s := range chosen {
		if !s.enqueue(accept) {
			return answer, control.Busy("source %s: %d scans are asked for already", s.name, maxCalls)
		}
		answer.Queued = append(answer.Queued, string(s.name))
	}
	return answer, nil
}

// choose finds sources by name, each once; none named means all.
func (d *daemon) choose(names []string) ([]*source, error) {
	if len(names) == 0 {
		if len(d.sources) == 0 {
			return nil, control.NotFound("no source is configured (add a [[source]] with name and root)")
		}
		return d.sources, nil
	}
	chosen := make([]*source, 0, len(names))
	for _, name := range names {
		s, err := d.source(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(chosen, s) {
			chosen = append(chosen, s)
		}
	}
	return chosen, nil
}

// scanned is the answer for one source.
func (s *source) scanned(end scanEnd) control.SourceScan {
	out := control.SourceScan{Name: string(s.name), Generation: end.report.Generation.Number, TookMS: end.report.Took.Milliseconds()}
	if end.err != nil {
		g, _ := s.generation()
		out.Generation, out.Reason = g.Number, end.err.Error()
		if !ingest.IsUnavailable(end.err) {
			out.Error = out.Reason
		}
		return out
	}
	out.Published, out.Complete, out.Failed = end.report.Published, end.report.Complete, end.report.Failed
	if out.Published {
		delta := end.report.Generation.Delta
		out.Added, out.Changed, out.Moved = delta.Added, delta.Changed, delta.Moved
		out.Removed, out.Metadata = delta.Removed, delta.Metadata
	}
	_, out.Reason = stateOf(end.report, nil)
	return out
}
