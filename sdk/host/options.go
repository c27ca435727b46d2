package host

import (
	"log/slog"
	"time"

	"github.com/cleave-project/cleave/sdk/internal/wire"
)

// Options say what to start and how far to trust it. The zero value of every field but Command and SocketDir is
// usable.
type Options struct {
	// Command is the program's absolute path and its arguments.
	Command []string
	// Env is added to the environment of the plugin ("KEY=value"), which otherwise holds PATH, LANG and what the
	// handshake needs. Nothing is inherited.
	Env []string
	// SocketDir is an existing directory for the plugin's socket folder; at most MaxSocketDir bytes long.
	SocketDir string
	// SHA256 is the hex SHA-256 the program must have. Empty: any.
	SHA256 string
	// Log receives what the plugin prints, and nothing else. Nil: nowhere.
	Log *slog.Logger
	// Limits bound the process.
	Limits Limits
}

// Limits bound what a plugin may cost. Zero fields mean the defaults named.
type Limits struct {
	// Start is the time from exec to the answer to Describe: 10 s. A plugin needs 10 ms, an interpreter on a busy
	// machine a second or two.
	Start time.Duration
	// Outline is the most memory one outline may take, in bytes: 64 MiB, plus 32 bytes for each byte of content. A
	// table of one-digit cells needs about 28.
	Outline int64
	// Units is the most units in one outline: 4096, plus 2 for each byte of content. Nested empty list items are one
	// unit a byte.
	Units int
}

// MaxSocketDir is the longest SocketDir. A socket's path has at most 107 bytes; go-plugin adds "/plugin-dir" and
// "/plugin", each with up to ten digits.
const MaxSocketDir = 107 - len("/plugin-dir1234567890/plugin1234567890")

const (
	startLimit      = 10 * time.Second
	outlineBase     = 64 << 20
	outlinePerByte  = 32
	unitsBase       = 4096
	unitsPerByte    = 2
	messageBase     = 4 << 20
	messagePerByte  = 8 // a row is one message, and a cell of one digit takes 8 bytes in it
	gracePeriod     = 500 * time.Millisecond
	killLimit       = 3 * time.Second // a killed process is gone in milliseconds, unless the kernel holds it
	drainPeriod     = 200 * time.Millisecond
	maxMessageBytes = 1 << 30 // gRPC's own limit is 2 GiB
)

func (l Limits) start() time.Duration {
	if l.Start > 0 {
		return l.Start
	}
	return startLimit
}

// bounds gives the limits for a content of n bytes.
func (l Limits) bounds(n int) wire.Bounds {
	b := wire.Bounds{
		Bytes:   l.Outline,
		Units:   l.Units,
		Message: min(messageBase+messagePerByte*n, maxMessageBytes),
	}
	if b.Bytes == 0 {
		b.Bytes = outlineBase + outlinePerByte*int64(n)
	}
	if b.Units == 0 {
		b.Units = unitsBase + unitsPerByte*n
	}
	return b
}
