package host

import (
	"errors"

	"github.com/cleave-project/cleave/sdk"
)

// Kinds of errors, for errors.Is. A file that a plugin refuses is none of them: it is a plain *sdk.Error.
var (
	// ErrStart: the program cannot be executed at all.
	ErrStart = errors.New("cannot be started")
	// ErrChecksum: the program is not the one that was pinned.
	ErrChecksum = errors.New("does not have the pinned checksum")
	// ErrNotPlugin: the program runs but is no plugin, or not one of this protocol.
	ErrNotPlugin = errors.New("is not a cleave plugin")
	// ErrDied: the process ended while, or before, it was asked.
	ErrDied = errors.New("died")
	// ErrTimeout: the caller's deadline passed. The process may still be busy and should be closed.
	ErrTimeout = errors.New("timed out")
	// ErrBrokeContract: the answer is too large, incomplete or not understood.
	ErrBrokeContract = errors.New("broke the contract")
)

// Error is what went wrong with a plugin, as one line. It unwraps to its Kind, its cause, and, where a file is to
// blame or at least affected, an *sdk.Error with the code for the document.
type Error struct {
	// Plugin is the plugin's name, or its program's base name before it has told its name.
	Plugin string
	// Kind is one of the errors above.
	Kind error
	// Detail says what happened: a cause, an exit status. One line; may be empty.
	Detail string
	// Output is the line of the plugin's output that tells most: its first, where it did not start; that of a panic or
	// its last, where it died. Escaped; may be empty.
	Output string
	// Hint says what to do. May be empty.
	Hint string

	cause error
}

func (e *Error) Error() string {
	s := "plugin " + e.Plugin + " " + e.Kind.Error()
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	if e.Output != "" {
		s += `: it printed "` + e.Output + `"`
	}
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

// Unwrap gives kind, cause and the document's error.
func (e *Error) Unwrap() []error {
	errs := []error{e.Kind}
	if e.cause != nil {
		errs = append(errs, e.cause)
	}
	if code := e.code(); code != "" {
		errs = append(errs, &sdk.Error{Code: code, Message: e.Error()})
	}
	return errs
}

// code is the document's code. A plugin that cannot be had refuses every document.
func (e *Error) code() sdk.Code {
	switch e.Kind {
	case ErrDied:
		return sdk.CodePluginCrashed
	case ErrTimeout:
		return sdk.CodeParseTimeout
	case ErrBrokeContract:
		return sdk.CodePluginBrokeContract
	case ErrStart, ErrChecksum, ErrNotPlugin:
		return sdk.CodePluginRefused
	}
	return ""
}
