package control

import (
	"errors"
	"fmt"
	"net/http"
)

// The exit codes of the command line. An error says with which of them the command that met it ends.
const (
	ExitDone         = 0
	ExitFailed       = 1
	ExitUsage        = 2
	ExitNothing      = 3 // nothing found, or a scan that could not be complete
	ExitUnreachable  = 4
	ExitNotPermitted = 5
	ExitDifferent    = 6 // differences or damage found
)

// Error is an error that crosses the socket. Message is one line for people: why, and what to do.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Exit    int    `json:"exit"`
}

func (e *Error) Error() string { return e.Message }

// Usage is a request that is wrong in itself.
func Usage(format string, args ...any) *Error {
	return &Error{Code: "usage", Exit: ExitUsage, Message: fmt.Sprintf(format, args...)}
}

// NotInForce refuses by name an option that is known and that this version does not carry out yet.
func NotInForce(name string) *Error {
	return &Error{Code: "not_in_force", Exit: ExitUsage, Message: name + " is not in force in this version (leave it out)"}
}

// NotFound is a source, path, chunk or generation that is not there, or that the caller may not know of.
func NotFound(format string, args ...any) *Error {
	return &Error{Code: "not_found", Exit: ExitNothing, Message: fmt.Sprintf(format, args...)}
}

// NotPermitted is something the caller may not do.
func NotPermitted(format string, args ...any) *Error {
	return &Error{Code: "not_permitted", Exit: ExitNotPermitted, Message: fmt.Sprintf(format, args...)}
}

// Failed is a request that was right and could not be carried out.
func Failed(format string, args ...any) *Error {
	return &Error{Code: "failed", Exit: ExitFailed, Message: fmt.Sprintf(format, args...)}
}

// Busy is a request that met a limit or a daemon that is stopping; the same request may succeed later.
func Busy(format string, args ...any) *Error {
	return &Error{Code: "busy", Exit: ExitFailed, Message: fmt.Sprintf(format, args...)}
}

// Unreachable is a daemon that does not answer.
func Unreachable(format string, args ...any) *Error {
	return &Error{Code: "unreachable", Exit: ExitUnreachable, Message: fmt.Sprintf(format, args...)}
}

// asError gives what crosses the socket for err: an *Error in its chain, else a failure with err's words.
func asError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return Failed("%s", err.Error())
}

// status is the HTTP status of e, for callers that look at nothing else.
func (e *Error) status() int {
	switch e.Exit {
	case ExitUsage:
		return http.StatusBadRequest
	case ExitNothing:
		return http.StatusNotFound
	case ExitNotPermitted:
		return http.StatusForbidden
	}
	if e.Code == "busy" {
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}
