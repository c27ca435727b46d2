package dispatch

import (
	"log/slog"
	"time"

	"github.com/cleave-project/cleave/sdk"
)

// Plugin is one plugin to run: a stanza of the configuration, or a program that Discover found.
type Plugin struct {
	// Name is for messages until the plugin has told its own.
	Name string
	// Command is the program's absolute path and its arguments.
	Command []string
	// Match has the patterns of the files it gets; empty: the globs that the plugin itself claims. A pattern with a
	// slash is matched against the path, one without against the base name (core/glob).
	Match []string
	// Timeout is the time for one file; 0: 30 s.
	Timeout time.Duration
	// Processes is the most processes at once; 0: as many as workers.
	Processes int
	// SHA256 pins the program, in hex; empty: any.
	SHA256 string
}

// Options of a Dispatcher.
type Options struct {
	// Plugins in order of precedence: stanzas first, then those that were discovered. A later one without Match is
	// left out where an earlier one has the same program.
	Plugins []Plugin
	// Workers is how many calls the caller makes at once; 0: one.
	Workers int
	// SocketDir is the directory for the plugins' sockets, this dispatcher's own: it is made where it is missing, and
	// what an earlier one left there is removed. It must be short: host.MaxSocketDir.
	SocketDir string
	// Log receives what plugins print, and nothing else. Nil: nowhere.
	Log *slog.Logger
	// MaxBytes is the largest content of a file; 0: no limit.
	MaxBytes int64
}

// Identity is what an outline depends on, as far as the plugin goes.
type Identity struct {
	Name, Version, SHA256 string
	Input                 sdk.Input
}

// Route says which plugin gets a file, and as what. The zero Plugin goes with an Err.
type Route struct {
	Plugin          Identity
	MediaType, Lang string
	Err             *sdk.Error
}

// Status is one plugin as it stands.
type Status struct {
	// Name, Version, SHA256 are empty but for a configured name where the plugin has never started.
	Name, Version, SHA256 string
	// Claims are the patterns in force.
	Claims []string
	// Processes run now; Calls and Crashes count since Open. A crash is any end of a process that was not ours: died,
	// timed out, broke the contract.
	Processes, Calls, Crashes int
	// Error is why it does not run, or why it rests. Empty: it is fine.
	Error string
}

// defaultTimeout is what CONTRACT's timeout defaults to: thousands of times what a usual file takes.
const defaultTimeout = 30 * time.Second
