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
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

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

	// splitting bounds the requests to split that are worked on at once (I13): an answer may be many times its file.
	splitting *semaphore.Weighted

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
// stops what it started, in at most 10 s, and returns nil: a stop is no failure, at the start as little as later. Any
// other end is an error of one line.
func Run(ctx context.Context, o Options) error {
	d, err := open(ctx, o)
	if err != nil {
		return unlessStopped(ctx, err)
	}
	defer d.close()
	listener, err := control.Listen(d.cfg.Socket, d.cfg.SocketMode, d.cfg.SocketGroup)
	if err != nil {
		return err
	}
	g, running := errgroup.WithContext(ctx)
	g.Go(func() error { return d.serve(running, listener) })
	for _, s := range d.sources {
		g.Go(func() error { return s.loop(running) })
	}
	if o.Ready != nil {
		o.Ready()
	}
	d.log.Info("ready", "socket", d.cfg.Socket, "state_dir", d.cfg.StateDir, "sources", len(d.sources))
	defer context.AfterFunc(ctx, func() { d.log.Info("stopping") })()
	return unlessStopped(ctx, g.Wait())
}

// unlessStopped drops the errors that are only the end of ctx.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// storeClose bounds the store's end. What it has acknowledged is on disk; with the socket's 5 s it leaves the stop within
// the 10 s that the contract gives, since plugins are ended at the same time.
const storeClose = 4 * time.Second

func (d *daemon) serve(ctx context.Context, l net.Listener) error {
	return control.Serve(ctx, l, d, control.Options{Log: d.log, Admins: d.admitted.admits, Who: d.admitted.String(), MaxFile: int64(d.cfg.Files.MaxSize)})
}

// open makes everything that the socket's answers need. What it opened is closed again where it fails.
func open(ctx context.Context, o Options) (_ *daemon, err error) {
	d := &daemon{cfg: o.Config, configFile: o.ConfigFile, version: o.Version, log: o.Log, began: time.Now(),
		toks: newTokenizers(vocabularies{filepath.Join(o.Config.StateDir, "vocabularies")}), admitted: admins(o.Config.Admins), splitting: semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0)))}
	defer func() {
		if err != nil {
			d.close()
		}
	}()
	// What the configuration gets wrong is found before anything is made.
	list, err := pluginsOf(d.cfg)
	if err != nil {
		return nil, err
	}
	if err := checkPlaces(d.cfg); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(d.cfg.StateDir, 0o700); err != nil {
		return nil, fmt.Errorf("state directory: %w (set state_dir or --state-dir to a directory that cleaved may write)", err)
	}
	if d.store, err = store.Open(ctx, filepath.Join(d.cfg.StateDir, "store"), store.Options{Logger: d.log, CloseTimeout: storeClose}); err != nil {
		return nil, err
	}
	if d.plugins, err = openPlugins(ctx, d.cfg, list, d.log); err != nil {
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
			Store: d.store, Splitters: d.plugins, Tokenizers: d.toks.open, Roots: roots,
			Workers: runtime.GOMAXPROCS(0), BytesInFlight: bytesInFlight,
		})
		if err != nil {
			return nil, fmt.Errorf("source %s: %w", c.Name, err)
		}
		d.sources = append(d.sources, s)
	}
	return d, nil
}

// close ends what open began: the plugins beside the indexes and then the store. Errors are logged: nobody is left to be
// told.
func (d *daemon) close() {
	var all sync.WaitGroup
	if d.plugins != nil {
		all.Go(func() { d.logged("stop plugins", d.plugins.Close()) })
	}
	for _, s := range d.sources {
		d.logged("close index of "+string(s.name), s.close())
	}
	if d.store != nil {
		d.logged("close store", d.store.Close())
	}
	all.Wait()
}

func (d *daemon) logged(what string, err error) {
	if err != nil {
		d.log.Error(what, "error", err)
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
