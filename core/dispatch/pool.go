package dispatch

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/cleave-project/cleave/sdk"
	"github.com/cleave-project/cleave/sdk/host"
)

// pool has the processes of one plugin. They are started when they are needed and kept.
type pool struct {
	plugin    Plugin
	socketDir string
	log       *slog.Logger
	// slots holds a token for each process that may be busy: taking one is the right to a process.
	slots chan struct{}
	// starting is held while the plugin is described; it is taken before mu.
	starting sync.Mutex

	mu sync.Mutex
	// The rest is guarded by mu.
	info    sdk.Info
	sha256  string // empty: never started
	idle    []*worker
	running int
	calls   int
	crashes int
	rest    rest
	refused string // why its claims do not count
	err     string // why it did not start, last time
	closed  bool
}

// worker is a process and whether it has answered before.
type worker struct {
	*host.Plugin
	served bool
}

func newPool(p Plugin, o Options) *pool {
	if p.Timeout <= 0 {
		p.Timeout = defaultTimeout
	}
	n := p.Processes
	if n <= 0 {
		n = max(o.Workers, 1)
	}
	return &pool{plugin: p, socketDir: o.SocketDir, log: o.Log, slots: make(chan struct{}, n)}
}

// describe starts the plugin for the first time, unless it has been described or rests.
func (p *pool) describe(ctx context.Context) {
	p.starting.Lock()
	defer p.starting.Unlock()
	if p.described() || p.resting() > 0 {
		return
	}
	if w, err := p.launch(ctx); err == nil {
		p.release(w)
	}
}

// split runs one call in a process of its own for the time being.
func (p *pool) split(ctx context.Context, f sdk.File) (sdk.Outline, error) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return sdk.Outline{}, ctx.Err()
	}
	w, err := p.acquire(ctx)
	if err != nil {
		return sdk.Outline{}, err
	}
	outline, err := p.call(ctx, w, f)
	if w.served && errors.Is(err, host.ErrDied) && ctx.Err() == nil {
		// An earlier file may have done it, or the kernel while the process was idle.
		if w, err = p.fresh(ctx); err != nil {
			return sdk.Outline{}, err
		}
		outline, err = p.call(ctx, w, f)
	}
	return outline, coded(err)
}

// call asks w and puts it back, or ends it where it cannot be trusted any more.
func (p *pool) call(ctx context.Context, w *worker, f sdk.File) (sdk.Outline, error) {
	p.mu.Lock()
	p.calls++
	p.mu.Unlock()
	limited, cancel := context.WithTimeout(ctx, p.plugin.Timeout)
	defer cancel()
	outline, err := w.Split(limited, f)
	if reusable(err) {
		p.release(&worker{Plugin: w.Plugin, served: true})
		return outline, err
	}
	// Cancelled, it may be busy with the abandoned call; otherwise it is dead, hung or wrong.
	_ = w.Close() // never fails
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running--
	if ctx.Err() == nil {
		p.crashes++
		p.rest.died(time.Now())
	}
	return outline, err
}

// reusable tells whether the process did what it should: an outline, or a refusal of the file.
func reusable(err error) bool {
	var trouble *host.Error
	var refused *sdk.Error
	return err == nil || !errors.As(err, &trouble) && errors.As(err, &refused)
}

// acquire gives an idle process, or a new one.
func (p *pool) acquire(ctx context.Context) (*worker, error) {
	for {
		w := p.takeIdle()
		if w == nil {
			return p.fresh(ctx)
		}
		select {
		case <-w.Done(): // it died in its sleep
			p.discard(w)
		default:
			return w, nil
		}
	}
}

// takeIdle takes the process that was used last, so that those a quiet time does not need are not touched.
func (p *pool) takeIdle() *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.idle)
	if n == 0 {
		return nil
	}
	w := p.idle[n-1]
	p.idle = p.idle[:n-1]
	return w
}

func (p *pool) discard(w *worker) {
	_ = w.Close() // never fails
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running--
	p.crashes++
}

// fresh starts a process, after the pause that earlier failures have earned: a short one is waited for, and looked at
// again, since another call's process may have died meanwhile. Its error is ErrDown, or ctx's.
func (p *pool) fresh(ctx context.Context) (*worker, error) {
	for {
		left := p.resting()
		switch {
		case left > patience:
			return nil, p.restError()
		case left > 0:
			if err := wait(ctx, left); err != nil {
				return nil, err
			}
		default:
			return p.launch(ctx)
		}
	}
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// launch starts a process of the program that was described, or describes it. Its error is ErrDown, or ctx's.
func (p *pool) launch(ctx context.Context) (*worker, error) {
	process, err := host.Launch(ctx, host.Options{
		Command:   p.plugin.Command,
		SocketDir: p.socketDir,
		SHA256:    p.pin(),
		Log:       p.log,
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p.err = p.startTroubleLocked(err)
		p.rest.startFailed(time.Now())
		return nil, down("%s", p.err)
	}
	p.err = ""
	p.rest.started()
	if p.sha256 == "" {
		p.info, p.sha256 = process.Info(), process.Checksum()
	}
	p.running++
	return &worker{Plugin: process}, nil
}

// pin is the checksum that the next process must have.
func (p *pool) pin() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sha256 != "" {
		return p.sha256
	}
	return p.plugin.SHA256
}

// release makes w available to the next call.
func (p *pool) release(w *worker) {
	p.mu.Lock()
	closed := p.closed
	if !closed {
		p.idle = append(p.idle, w)
	}
	if w.served {
		p.rest.answered()
	}
	p.mu.Unlock()
	if closed {
		_ = w.Close() // never fails
	}
}

// close ends the idle processes, at once. Busy ones end with their calls.
func (p *pool) close() {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.running -= len(idle)
	p.mu.Unlock()
	var group sync.WaitGroup
	for _, w := range idle {
		group.Go(func() { _ = w.Close() }) // never fails
	}
	group.Wait()
}

// coded makes sure that what is not the caller's own doing carries a code for the document.
func coded(err error) error {
	var document *sdk.Error
	if errors.As(err, &document) {
		return document
	}
	return err
}
