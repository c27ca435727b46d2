package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cleave-project/cleave/core/config"
	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/dispatch"
	"github.com/cleave-project/cleave/core/ingest"
	"github.com/cleave-project/cleave/core/store"
)

// Options is what the command line adds to the configuration.
type Options struct {
	Config     *config.Config
	ConfigFile string // for messages; empty: none was read
	Version    string
	Log        *slog.Logger
	// Ready is called once, when the socket answers and the last generations are served. Scans follow.
	Ready func()
}

// ErrConfig: the configuration names what is not there, or cannot be used.
var ErrConfig = errors.New("configuration")

// daemon is what the answers share. Everything in it is set before the socket answers and not changed after.
type daemon struct {
	cfg        *config.Config
	configFile string
	version    string
	log        *slog.Logger
	began      time.Time

	store    *store.Store
	plugins  *dispatch.Dispatcher
	toks     *tokenizers
	sources  []*source
	admitted admins
}

// bytesInFlight bounds the raw bytes that all workers of one run hold (I13): several files of the largest size that the
// default configuration takes.
const bytesInFlight = 256 << 20

// Run opens the store, the plugins and the indexes, serves the socket and follows the sources until ctx ends. It then
// stops what it started, in at most a few seconds, and returns nil. Any other end is an error of one line.
func Run(ctx context.Context, o Options) error {
	d, err := open(ctx, o)
	if err != nil {
		return err
	}
	defer d.close()
	listener, err := control.Listen(d.cfg.Socket, d.cfg.SocketMode, d.cfg.SocketGroup)
	if err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return d.serve(ctx, listener) })
	for _, s := range d.sources {
		g.Go(func() error { return s.loop(ctx) })
	}
	if o.Ready != nil {
		o.Ready()
	}
	d.log.Info("ready", "socket", d.cfg.Socket, "state_dir", d.cfg.StateDir, "sources", len(d.sources))
	err = g.Wait()
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func (d *daemon) serve(ctx context.Context, l net.Listener) error {
	return control.Serve(ctx, l, d, control.Options{Log: d.log, Admins: d.admitted.admits, Who: d.admitted.String(), MaxFile: int64(d.cfg.Files.MaxSize)})
}

// open makes everything that the socket's answers need. What it opened is closed again where it fails.
func open(ctx context.Context, o Options) (_ *daemon, err error) {
	d := &daemon{cfg: o.Config, configFile: o.ConfigFile, version: o.Version, log: o.Log, began: time.Now(),
		toks: newTokenizers(), admitted: admins(o.Config.Admins)}
	defer func() {
		if err != nil {
			d.close()
		}
	}()
	if err := os.MkdirAll(d.cfg.StateDir, 0o700); err != nil {
		return nil, fmt.Errorf("state directory: %w (set state_dir or --state-dir to a directory that cleaved may write)", err)
	}
	if d.store, err = store.Open(ctx, filepath.Join(d.cfg.StateDir, "store"), store.Options{Logger: d.log}); err != nil {
		return nil, err
	}
	if d.plugins, err = openPlugins(ctx, d.cfg, d.log); err != nil {
		return nil, err
	}
	if err := d.checkPolicies(); err != nil {
		return nil, err
	}
	roots, err := ingest.OpenRoots(filepath.Join(d.cfg.StateDir, "roots"))
	if err != nil {
		return nil, err
	}
	for _, c := range d.cfg.Sources {
		s, err := openSource(ctx, d, c, ingest.Deps{
			Store: d.store, Splitters: d.plugins, Tokenizers: d.toks.open, Roots: roots, Log: d.log,
			Workers: runtime.GOMAXPROCS(0), BytesInFlight: bytesInFlight,
		})
		if err != nil {
			return nil, fmt.Errorf("source %s: %w", c.Name, err)
		}
		d.sources = append(d.sources, s)
	}
	return d, nil
}

// close ends what open began, last first. Errors are logged: nobody is left to be told.
func (d *daemon) close() {
	for _, s := range d.sources {
		if err := s.close(); err != nil {
			d.log.Error("close index", "source", s.name, "error", err)
		}
	}
	if d.plugins != nil {
		if err := d.plugins.Close(); err != nil {
			d.log.Error("stop plugins", "error", err)
		}
	}
	if d.store != nil {
		if err := d.store.Close(); err != nil {
			d.log.Error("close store", "error", err)
		}
	}
}

// source finds a source by name.
func (d *daemon) source(name string) (*source, error) {
	for _, s := range d.sources {
		if string(s.name) == name {
			return s, nil
		}
	}
	return nil, control.NotFound("source %q is not configured (cleave status lists the sources)", name)
}
