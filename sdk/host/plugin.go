package host

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	goplugin "github.com/hashicorp/go-plugin"

	"github.com/cleave-project/cleave/sdk"
	"github.com/cleave-project/cleave/sdk/internal/wire"
)

// Plugin is one running process. It is safe for several goroutines.
type Plugin struct {
	name   string
	sha256 string
	info   sdk.Info
	limits Limits
	out    *output

	connection *goplugin.Client
	client     *wire.Client
	process    *process

	busy  atomic.Int64 // calls in flight
	stray atomic.Bool  // it may be at work on a call that was given up
	ended sync.Once
}

var _ sdk.Splitter = (*Plugin)(nil)

// Info is what the plugin said at the start; it was checked: name, version and lists are within their bounds.
func (p *Plugin) Info() sdk.Info { return p.info }

// Pid is the process id. The process may have ended: see Done.
func (p *Plugin) Pid() int { return p.process.cmd.Process.Pid }

// Checksum is the SHA-256 of the program that runs, in hex.
func (p *Plugin) Checksum() string { return p.sha256 }

// Done is closed when the process has ended.
func (p *Plugin) Done() <-chan struct{} { return p.process.exited }

// Split has the plugin describe one file. The outline is what the plugin says, bounded but not checked (I12). Errors:
// ctx.Err() where ctx was cancelled; a plain *sdk.Error where the plugin refuses the file; else *Error, which unwraps
// to an *sdk.Error too: ErrTimeout where ctx's deadline passed, ErrDied, ErrBrokeContract. After one of these three
// the process is of no more use and should be closed.
func (p *Plugin) Split(ctx context.Context, f sdk.File) (sdk.Outline, error) {
	p.busy.Add(1)
	defer p.busy.Add(-1)
	outline, err := p.client.Split(ctx, f, p.limits.bounds(len(f.Content)))
	if err == nil {
		return outline, nil
	}
	err = p.splitError(err)
	if _, refused := err.(*sdk.Error); !refused {
		p.stray.Store(true)
	}
	return sdk.Outline{}, err
}

func (p *Plugin) splitError(err error) error {
	var refused *sdk.Error
	var broke *wire.BrokenError
	switch {
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Plugin: p.name, Kind: ErrTimeout, cause: context.DeadlineExceeded}
	case errors.As(err, &refused) && refused.Code != sdk.CodePluginBrokeContract:
		return &sdk.Error{Code: refused.Code, Message: oneLine(refused.Message)}
	case errors.As(err, &refused):
		return &Error{Plugin: p.name, Kind: ErrBrokeContract, Detail: oneLine(refused.Message)}
	case errors.As(err, &broke) && !p.process.gone(0):
		return &Error{Plugin: p.name, Kind: ErrBrokeContract, Detail: oneLine(broke.What), cause: err}
	}
	return p.diedError(err)
}

// diedError waits a moment for the exit status: the connection ends before the process does.
func (p *Plugin) diedError(err error) *Error {
	e := &Error{Plugin: p.name, Kind: ErrDied, cause: err}
	if p.process.gone(gracePeriod) {
		e.Detail = p.process.status
	} else {
		e.Detail = "it closed the connection"
	}
	e.Output = p.out.dying()
	return e
}

// Close ends the process, and its process group with it, in a few seconds at most. A process that is idle is told to
// end, a busy one is killed; calls in flight fail with ErrDied. It may be called more than once.
func (p *Plugin) Close() error {
	grace := gracePeriod
	if p.busy.Load() > 0 || p.stray.Load() {
		grace = 0
	}
	p.end(grace)
	return nil
}

// end gives the process so long to end by itself, then kills it.
func (p *Plugin) end(grace time.Duration) {
	p.ended.Do(func() {
		defer p.removeDir()
		if !p.process.started() {
			return
		}
		p.process.hangUp()
		if grace == 0 || !p.process.gone(grace) {
			_ = p.process.kill() // gone already is fine
		}
		if p.process.gone(killLimit) {
			p.connection.Kill() // releases the connection; nothing is left to wait for
		}
	})
}
