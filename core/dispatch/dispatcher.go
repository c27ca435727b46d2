package dispatch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cleave-project/cleave/sdk"
)

// ErrClosed: the dispatcher was closed while, or before, it was asked.
var ErrClosed = errors.New("plugins are stopped")

// closeLimit bounds Close. The service promises to stop in 10 s.
const closeLimit = 9 * time.Second

// Dispatcher routes files to plugins. It is safe for several goroutines.
type Dispatcher struct {
	pools    []*pool // in order of precedence; fixed after Open
	maxBytes int64

	mu sync.Mutex
	// calls are the calls in flight, by number, with what ends them. Guarded by mu.
	calls  map[int]context.CancelCauseFunc
	next   int
	closed bool
	// flight counts calls; it is added to under mu and only while not closed.
	flight sync.WaitGroup
}

// Open describes every plugin once, several at a time. A plugin that does not start is reported in Status and does
// not fail Open; ctx ending does, and so does a socket directory that cannot be made.
func Open(ctx context.Context, o Options) (*Dispatcher, error) {
	if err := emptySocketDir(o.SocketDir); err != nil {
		return nil, fmt.Errorf("prepare plugin sockets: %w", err)
	}
	d := &Dispatcher{maxBytes: o.MaxBytes, calls: map[int]context.CancelCauseFunc{}}
	for _, p := range distinct(o.Plugins) {
		d.pools = append(d.pools, newPool(p, o))
	}
	d.Revive(ctx)
	if err := ctx.Err(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// starters is how many plugins are started at once: enough that one that says nothing until its limit does not hold
// up the others.
const starters = 8

// Revive tries again to start the plugins that have never started and whose rest is over. Their claims are unknown
// until they do, so it is worth calling before each scan.
func (d *Dispatcher) Revive(ctx context.Context) {
	ctx, done, err := d.begin(ctx)
	if err != nil {
		return // closed: nothing shall start
	}
	defer done()
	var group errgroup.Group
	group.SetLimit(starters)
	for _, p := range d.pools {
		group.Go(func() error {
			p.describe(ctx)
			return nil // what is wrong is in the pool's status
		})
	}
	_ = group.Wait() // always nil
	d.refuseTwins()
}

// Whole tells whether every plugin has told what it claims. Until it has, a file may be its and go to another.
func (d *Dispatcher) Whole() bool {
	for _, p := range d.pools {
		if _, known := p.identity(); !known {
			return false
		}
	}
	return true
}

// Has tells whether a plugin of that name has told what it claims.
func (d *Dispatcher) Has(name string) bool {
	for _, p := range d.pools {
		if id, known := p.identity(); known && id.Name == name {
			return true
		}
	}
	return false
}

// refuseTwins takes the claims from a plugin whose name an earlier one has: an Identity must mean one plugin.
func (d *Dispatcher) refuseTwins() {
	first := map[string]*pool{}
	for _, p := range d.pools {
		id, ok := p.identity()
		if !ok {
			continue
		}
		if twin := first[id.Name]; twin != nil {
			p.refuse(fmt.Sprintf("plugin %s of %s has the name of the one of %s, which comes first (give both patterns to one stanza)",
				id.Name, p.plugin.Command[0], twin.plugin.Command[0]))
			continue
		}
		first[id.Name] = p
	}
}

// distinct leaves out what was discovered although a stanza has it.
func distinct(plugins []Plugin) []Plugin {
	seen := map[string]bool{}
	var kept []Plugin
	for _, p := range plugins {
		program := ""
		if len(p.Command) > 0 {
			program = filepath.Clean(p.Command[0])
		}
		if seen[program] && len(p.Match) == 0 {
			continue
		}
		seen[program] = true
		kept = append(kept, p)
	}
	return kept
}

// Split has the plugin of r describe f. Its errors are described in the package documentation.
func (d *Dispatcher) Split(ctx context.Context, r Route, f sdk.File) (sdk.Outline, error) {
	if r.Err != nil {
		return sdk.Outline{}, r.Err
	}
	if n := int64(len(f.Content)); d.maxBytes > 0 && n > d.maxBytes {
		return sdk.Outline{}, sdk.Errorf(sdk.CodeTooLarge, "%d bytes, at most %d are split", n, d.maxBytes)
	}
	p := d.pool(r.Plugin)
	if p == nil {
		return sdk.Outline{}, down("plugin %s %s is not here any more", r.Plugin.Name, r.Plugin.Version)
	}
	ctx, done, err := d.begin(ctx)
	if err != nil {
		return sdk.Outline{}, err
	}
	defer done()
	outline, err := p.split(ctx, f)
	if err != nil && ctx.Err() != nil {
		return sdk.Outline{}, context.Cause(ctx)
	}
	return outline, err
}

// begin enters a call, so that Close can end it.
func (d *Dispatcher) begin(ctx context.Context) (context.Context, func(), error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, nil, ErrClosed
	}
	ctx, cancel := context.WithCancelCause(ctx)
	number := d.next
	d.next++
	d.calls[number] = cancel
	d.flight.Add(1)
	return ctx, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.calls, number)
		cancel(nil)
		d.flight.Done()
	}, nil
}

func (d *Dispatcher) pool(id Identity) *pool {
	for _, p := range d.pools {
		if have, ok := p.identity(); ok && have == id {
			return p
		}
	}
	return nil
}

// Status lists the plugins in order of precedence.
func (d *Dispatcher) Status() []Status {
	all := make([]Status, 0, len(d.pools))
	for _, p := range d.pools {
		all = append(all, p.status())
	}
	return all
}

// Close ends the calls in flight with ErrClosed and every process. It takes at most ten seconds; its error says that
// something was still there by then.
func (d *Dispatcher) Close() error {
	d.mu.Lock()
	d.closed = true
	for _, cancel := range d.calls {
		cancel(ErrClosed)
	}
	d.mu.Unlock()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		d.flight.Wait()
		var group sync.WaitGroup
		for _, p := range d.pools {
			group.Go(p.close)
		}
		group.Wait()
	}()
	timer := time.NewTimer(closeLimit)
	defer timer.Stop()
	select {
	case <-closed:
		return nil
	case <-timer.C: // the processes were killed; the kernel holds one that waits for a disk
		return fmt.Errorf("plugins were still ending after %v", closeLimit)
	}
}

// emptySocketDir makes dir, private, and removes what an earlier dispatcher that was killed has left there.
func emptySocketDir(dir string) error {
	if dir == "" {
		return errors.New("no directory given")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), socketFolder) {
			err = cmp.Or(err, os.RemoveAll(filepath.Join(dir, entry.Name())))
		}
	}
	return err
}

// socketFolder begins the names of the folders that go-plugin makes.
const socketFolder = "plugin-dir"
