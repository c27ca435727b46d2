package daemon

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/cleave-project/cleave/core/answer"
	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/store"
)

// maxFailuresShown bounds how many quarantined documents status names.
const maxFailuresShown = 20

// Status is one honest picture of the daemon and every source.
func (d *daemon) Status(ctx context.Context, c control.Caller, _ control.StatusRequest) (control.StatusAnswer, error) {
	a := control.StatusAnswer{
		Version: d.version, PID: os.Getpid(), UptimeS: int64(time.Since(d.began).Seconds()), RSSBytes: residentBytes(),
		Goroutines: runtime.NumGoroutine(), OpenFiles: openFiles(), StateBytes: d.store.Size(),
		Caller: control.CallerStatus{UID: c.UID, GID: c.GID, Groups: c.Groups, Admin: d.admitted.admits(c)},
	}
	for _, p := range d.plugins.Status() {
		a.Plugins = append(a.Plugins, control.PluginStatus{
			Plugin: control.Plugin{Name: p.Name, Version: p.Version, SHA256: p.SHA256}, Claims: p.Claims,
			Processes: p.Processes, Calls: int64(p.Calls), Crashes: int64(p.Crashes), Error: p.Error,
		})
	}
	for _, s := range d.sources {
		a.Sources = append(a.Sources, s.status(ctx))
	}
	return a, nil
}

// status is one source's picture. What cannot be found out is said in it: status answers when little else does.
func (s *source) status(ctx context.Context) control.SourceStatus {
	out := control.SourceStatus{Name: string(s.name), Root: s.cfg.Root}
	if g, ok := s.generation(); ok {
		out.Generation, out.RootHash = g.Number, g.Root.String()
		out.Documents, out.Chunks, out.Bytes = g.Counts.Documents, g.Counts.Chunks, g.Counts.Bytes
		out.Stale, out.Failed = g.Counts.Stale, g.Counts.Failed
	}
	s.now.fill(&out)
	indexed, err := s.indexed()
	out.IndexGeneration = indexed
	failures, failed := s.deps.Store.Failures(ctx, s.name)
	for _, f := range failures[:min(len(failures), maxFailuresShown)] {
		out.Failures = append(out.Failures, wireFailure(f))
	}
	if err := errors.Join(err, failed); err != nil {
		out.State, out.Reason = stateDegraded, err.Error()
	}
	return out
}

func wireFailure(f store.FailureItem) control.Failure {
	path, raw := control.Readable(string(f.Path))
	return control.Failure{
		Path: path, PathB64: raw, Code: f.Failure.Code, Message: f.Failure.Message,
		Plugin: control.Plugin{Name: f.Failure.Plugin, SHA256: f.Failure.PluginSHA}, Tries: f.Failure.Tries,
		Next: answer.Time(f.Failure.Next),
	}
}

// fill adds what the scans say.
func (c *condition) fill(out *control.SourceStatus) {
	c.mu.Lock()
	defer c.mu.Unlock()
	out.State, out.Reason = c.state, c.reason
	out.LastScan, out.LastComplete, out.NextScan = moment(c.lastScan), moment(c.lastComplete), moment(c.nextScan)
	if !c.seen.IsZero() {
		out.LagMS = time.Since(c.seen).Milliseconds()
	}
	if out.State == "" {
		out.State, out.Reason = stateScanning, "the first scan since the start has not ended"
	}
	if c.scanning {
		out.State = stateScanning
		out.Scanning = &control.Scanning{Done: c.done, Total: c.total}
		out.Pending = c.total - c.done
	}
}

func moment(t time.Time) control.Optional {
	if t.IsZero() {
		return ""
	}
	return answer.Time(t.UnixNano())
}

// residentBytes is what the kernel says this process occupies; 0 where it does not say.
func residentBytes() int64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(data))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// openFiles counts this process's descriptors; 0 where the kernel does not say.
func openFiles() int {
	names, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(names)
}

// Version says what runs.
func (d *daemon) Version(context.Context, control.Caller, control.VersionRequest) (control.VersionAnswer, error) {
	v := control.BuildVersion()
	v.Version = d.version
	return v, nil
}

// Ready: the socket is only served once the last generations are.
func (d *daemon) Ready() error { return nil }

// Generations lists what is kept of a source, newest first.
func (d *daemon) Generations(ctx context.Context, _ control.Caller, r control.GenerationsRequest) (control.GenerationsAnswer, error) {
	s, err := d.named(r.Source)
	if err != nil {
		return control.GenerationsAnswer{}, err
	}
	list, err := s.deps.Store.Generations(ctx, s.name)
	if err != nil {
		return control.GenerationsAnswer{}, err
	}
	a := control.GenerationsAnswer{Source: string(s.name)}
	for _, g := range list {
		a.Generations = append(a.Generations, control.Generation{
			Number: g.Number, Time: answer.Time(g.Time), Root: g.Root.String(), Documents: g.Counts.Documents,
			Chunks: g.Counts.Chunks, Bytes: g.Counts.Bytes, Stale: g.Counts.Stale, Failed: g.Counts.Failed,
			Added: g.Delta.Added, Changed: g.Delta.Changed, Moved: g.Delta.Moved, Removed: g.Delta.Removed,
			Metadata: g.Delta.Metadata, Reason: g.Reason, Complete: g.Complete,
		})
	}
	return a, nil
}
