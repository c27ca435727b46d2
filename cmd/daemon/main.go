// Command cleaved watches directories, cuts their files into chunks that fit a model's token budget, and answers
// queries over a local socket. See `cleaved --help` and config.toml.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/coreos/go-systemd/v22/daemon"
	"golang.org/x/term"

	"github.com/cleave-project/cleave/core/config"
	"github.com/cleave-project/cleave/core/control"
	cleaved "github.com/cleave-project/cleave/core/daemon"
)

const usage = `usage: cleaved [--config FILE] [--socket PATH] [--state-dir DIR] [--plugin-dir DIR] [--log-level L] [--check-config] [--version]

Runs in the foreground and logs to standard error. SIGTERM and SIGINT stop it; a second one ends it at once. SIGHUP is
logged and changes nothing: the configuration is read at the start only, in this version.

  --config FILE     configuration (default ` + defaultConfig + `, which may be missing)
  --socket PATH     where cleave connects; overrides the configuration
  --state-dir DIR   where everything is kept; overrides the configuration
  --plugin-dir DIR  where the splitters are; overrides the configuration
  --log-level L     debug, info, warn or error (default info)
  --check-config    say whether the configuration is good, and exit
  --version         print the version, and exit
`

const defaultConfig = "/etc/cleave/config.toml"

// The exit codes of the contract that a daemon can end with.
const (
	exitFailed = 1
	exitUsage  = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// flags is the command line.
type flags struct {
	config, socket, stateDir, pluginDir string
	level                               slog.Level
	check, version                      bool
}

func run(args []string, stdout, stderr io.Writer) int {
	f, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "cleaved: %v (see cleaved --help)\n", err)
		return exitUsage
	case f.version:
		fmt.Fprintf(stdout, "cleaved %s\n", control.BuildVersion().Version)
		return 0
	}
	cfg, file, err := load(f)
	if err != nil {
		for line := range strings.Lines(err.Error()) { // one for each fault of the file
			fmt.Fprintf(stderr, "cleaved: %s\n", strings.TrimSuffix(line, "\n"))
		}
		return exitUsage
	}
	if f.check {
		return check(cfg, file, stdout, stderr)
	}
	err = serve(cfg, file, logger(stderr, f.level))
	if err != nil {
		fmt.Fprintf(stderr, "cleaved: %v\n", err)
		if errors.Is(err, cleaved.ErrConfig) {
			return exitUsage
		}
		return exitFailed
	}
	return 0
}

// check is --check-config: what the file gets wrong was said when it was read, what this machine lacks is said here.
func check(cfg *config.Config, file string, stdout, stderr io.Writer) int {
	faults, warnings := cleaved.Check(cfg, file)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		file = "the default configuration (there is no " + file + ")"
	}
	for _, w := range warnings {
		fmt.Fprintf(stderr, "cleaved: warning: %s\n", w)
	}
	for _, f := range faults {
		fmt.Fprintf(stderr, "cleaved: %v\n", f)
	}
	if len(faults) > 0 {
		return exitUsage
	}
	fmt.Fprintf(stdout, "%s is good: %s\n", file, counted(len(cfg.Sources), "source"))
	return 0
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// serve runs the daemon until a signal stops it. After the first one signals have their usual effect again, so that a
// second ends a daemon that takes too long.
func serve(cfg *config.Config, file string, log *slog.Logger) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	var heeding sync.WaitGroup
	heeding.Go(func() { heed(ctx, hangups, log) })
	defer heeding.Wait()
	defer stop()
	context.AfterFunc(ctx, func() {
		stop()
		notify(daemon.SdNotifyStopping)
	})
	return cleaved.Run(ctx, cleaved.Options{
		Config: cfg, ConfigFile: file, Version: control.BuildVersion().Version, Log: log,
		Ready: func() { notify(daemon.SdNotifyReady) },
	})
}

// heed logs hangups until ctx ends: whoever sends one expects a reload, and uncaught it would end the daemon.
func heed(ctx context.Context, hangups <-chan os.Signal, log *slog.Logger) {
	for {
		select {
		case <-hangups:
			log.Warn("SIGHUP changes nothing: reloading the configuration is not in force in this version (restart cleaved)")
		case <-ctx.Done():
			return
		}
	}
}

// notify tells the service manager, where there is one. Without one there is nobody to tell, and nothing to do about it.
func notify(state string) { _, _ = daemon.SdNotify(false, state) }

func parse(args []string) (flags, error) {
	var f flags
	set := flag.NewFlagSet("cleaved", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&f.config, "config", "", "")
	set.StringVar(&f.socket, "socket", "", "")
	set.StringVar(&f.stateDir, "state-dir", "", "")
	set.StringVar(&f.pluginDir, "plugin-dir", "", "")
	set.TextVar(&f.level, "log-level", slog.LevelInfo, "")
	set.BoolVar(&f.check, "check-config", false, "")
	set.BoolVar(&f.version, "version", false, "")
	if err := set.Parse(args); err != nil {
		return f, err
	}
	if set.NArg() > 0 {
		return f, fmt.Errorf("unexpected argument %q", set.Arg(0))
	}
	return f, nil
}

// load reads the configuration and lets the command line override it. Only the default file may be missing.
func load(f flags) (*config.Config, string, error) {
	file := f.config
	if file == "" {
		file = defaultConfig
	}
	cfg, err := config.Load(file)
	if f.config == "" && errors.Is(err, fs.ErrNotExist) {
		cfg, err = config.Default(), nil
	}
	if err != nil {
		return nil, file, err
	}
	for _, o := range []struct {
		to   *string
		with string
	}{{&cfg.Socket, f.socket}, {&cfg.StateDir, f.stateDir}, {&cfg.PluginDir, f.pluginDir}} {
		if o.with == "" {
			continue
		}
		if *o.to, err = filepath.Abs(o.with); err != nil {
			return nil, file, err
		}
	}
	return cfg, file, nil
}

// logger writes text on a terminal and JSON under a service.
func logger(w io.Writer, level slog.Level) *slog.Logger {
	o := &slog.HandlerOptions{Level: level}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return slog.New(slog.NewTextHandler(w, o))
	}
	return slog.New(slog.NewJSONHandler(w, o))
}
