// Package config turns config.toml into a checked Config. It owns the keys, their defaults and what each may be.
//
// Every error is a Problem with file, line, key, what is wrong and what is allowed, and prints as one line:
//
//	config.toml:12: readers: "group:legal" is not in force in this version; allowed: ["filesystem"]
//
// All problems of a file are reported together, in the order of its lines. Unknown keys are problems. So is a value
// of a known key that this version does not honour yet: it is refused by name, never silently dropped, since most of
// them would promise protection that is not there.
//
// What it never does: open anything but the configuration file, look up users or groups, or create paths. A Config
// that Parse returned is complete: every key that was not given has its default, every path is absolute and clean.
package config
