package daemon

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

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
	g, ctx := errgroup.WithContext(ctx)
	for i, s := range chosen {
		g.Go(func() error {
			end, err := s.request(ctx, r.AcceptRoot, func(p ingest.Progress) {
				mu.Lock()
				defer mu.Unlock()
				progress(control.Progress{Source: string(s.name), Done: p.Done, Total: p.Total})
			})
			if err != nil {
				return err
			}
			answer.Sources[i], err = s.scanned(end)
			return err
		})
	}
	return answer, g.Wait()
}

func (d *daemon) enqueue(chosen []*source, accept bool) (control.ScanAnswer, error) {
	var answer control.ScanAnswer
	for _, s := range chosen {
		if err := s.enqueue(accept); err != nil {
			return answer, control.Busy("%v", err)
		}
		answer.Queued = append(answer.Queued, string(s.name))
	}
	return answer, nil
}

// choose finds sources by name; none named means all.
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
		chosen = append(chosen, s)
	}
	return chosen, nil
}

// scanned is the answer for one source.
func (s *source) scanned(end scanEnd) (control.SourceScan, error) {
	g, _ := s.generation()
	out := control.SourceScan{Name: string(s.name), Generation: g.Number, TookMS: end.report.Took.Milliseconds()}
	if end.err != nil {
		if !ingest.IsUnavailable(end.err) {
			return out, end.err
		}
		out.Reason = end.err.Error()
		return out, nil
	}
	out.Published, out.Complete, out.Failed = end.report.Published, end.report.Complete, end.report.Failed
	if out.Published {
		delta := end.report.Generation.Delta
		out.Added, out.Changed, out.Moved = delta.Added, delta.Changed, delta.Moved
		out.Removed, out.Metadata = delta.Removed, delta.Metadata
	}
	_, out.Reason = stateOf(end.report, nil)
	return out, nil
}
