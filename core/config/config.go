package config

import (
	"os"
	"time"
)

// Config is the daemon's configuration. The toml tag of a field is its key; the allowed tag says in an error what the
// key takes.
type Config struct {
	StateDir    string      `toml:"state_dir" allowed:"an absolute path"`
	Socket      string      `toml:"socket" allowed:"an absolute path"`
	SocketMode  os.FileMode `toml:"socket_mode" allowed:"an octal mode such as \"0666\""`
	SocketGroup string      `toml:"socket_group" allowed:"the name of a group, or \"\""`
	PluginDir   string      `toml:"plugin_dir" allowed:"an absolute path"`
	Admins      []Principal `toml:"admins" allowed:"\"user:NAME\", \"group:NAME\", \"uid:N\""`

	Chunking  Policy    `toml:"chunking"`
	Watch     Watch     `toml:"watch"`
	Files     Files     `toml:"files"`
	Retention Retention `toml:"retention"`
	Tenants   []Tenant  `toml:"tenant"`
	Sources   []Source  `toml:"source"`
	Plugins   []Plugin  `toml:"plugin"`
}

// Watch says when a change becomes a scan. Only Rescan is in force.
type Watch struct {
	Quiet  time.Duration `toml:"quiet" allowed:"a duration such as \"300ms\""`
	MaxAge time.Duration `toml:"max_age" allowed:"a duration such as \"5s\""`
	Rescan time.Duration `toml:"rescan" allowed:"a duration above 0 such as \"10m\""`
}

// Files says which files of a source are taken.
type Files struct {
	MaxSize        Size `toml:"max_size" allowed:"a size above 0 such as \"64MiB\""`
	Hidden         bool `toml:"hidden" allowed:"true, false"`
	FollowSymlinks bool `toml:"follow_symlinks" allowed:"false"`
}

// Retention says which generations are kept.
type Retention struct {
	Generations int           `toml:"generations" allowed:"20"`
	Age         time.Duration `toml:"age" allowed:"\"24h\""`
}

// Tenant is a group of callers that shares sources.
type Tenant struct {
	Name    string   `toml:"name" allowed:"\"default\""`
	Members []string `toml:"members" allowed:"[\"*\"]"`
}

// Source is a root directory with its rules.
type Source struct {
	Name    string   `toml:"name" allowed:"a name that matches [a-z0-9][a-z0-9._-]{0,63}"`
	Root    string   `toml:"root" allowed:"an absolute path"`
	Tenant  string   `toml:"tenant" allowed:"\"default\""`
	Include []string `toml:"include" allowed:"a list of globs; none: every file"`
	Exclude []string `toml:"exclude" allowed:"a list of globs"`
	Readers []string `toml:"readers" allowed:"[\"filesystem\"]"`
	OnError string   `toml:"on_error" allowed:"\"keep\""`
	Rules   []Rule   `toml:"rule"`
}

// Plugin names a splitter that does not come with cleave, or changes how one that does is run.
type Plugin struct {
	Name      string        `toml:"name" allowed:"a name that matches [a-z0-9][a-z0-9._-]{0,63}"`
	Command   []string      `toml:"command" allowed:"a program beneath plugin_dir, without \"..\", then its arguments"`
	Match     []string      `toml:"match" allowed:"a list of globs; none: what the plugin claims itself"`
	SHA256    string        `toml:"sha256" allowed:"64 hexadecimal digits, or \"\""`
	Timeout   time.Duration `toml:"timeout" allowed:"a duration above 0 such as \"30s\""`
	Memory    Size          `toml:"memory" allowed:"\"1GiB\""`
	Processes int           `toml:"processes" allowed:"a number from 0; 0: as many as workers"`
	Read      []string      `toml:"read" allowed:"[]"`
	Cache     bool          `toml:"cache" allowed:"false"`
	MTLS      bool          `toml:"mtls" allowed:"false"`
}

// Default is the configuration of an empty file: everything but sources has a default.
func Default() *Config {
	return &Config{
		StateDir:   "/var/lib/cleave",
		Socket:     "/run/cleave/cleave.sock",
		SocketMode: 0o666, // what a caller sees is decided for each caller, not by who may connect
		PluginDir:  "/usr/lib/cleave/plugins",
		Admins:     []Principal{{Kind: User, Name: "root"}},
		Chunking: Policy{
			Strategy:  "structural",
			MaxTokens: 400,
			Tokenizer: "o200k_base",
			Oversize:  "split",
		},
		Watch:     Watch{Quiet: 300 * time.Millisecond, MaxAge: 5 * time.Second, Rescan: 10 * time.Minute},
		Files:     Files{MaxSize: 64 << 20},
		Retention: Retention{Generations: 20, Age: 24 * time.Hour},
		Tenants:   []Tenant{{Name: "default", Members: []string{"*"}}},
	}
}

func defaultSource() Source {
	return Source{Tenant: "default", Readers: []string{"filesystem"}, OnError: "keep"}
}

func defaultPlugin() Plugin {
	return Plugin{Timeout: 30 * time.Second, Memory: 1 << 30}
}
