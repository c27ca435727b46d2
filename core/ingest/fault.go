package ingest

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/cleave-project/cleave/sdk"
)

// pluginError is what a plugin said of a file or did about it, as against what we found out ourselves.
type pluginError struct{ error }

func (e pluginError) Unwrap() error { return e.error }

// faultError is a fault of our own that one file brings out. It costs that file, like a plugin's (C8).
type faultError struct {
	document *sdk.Error
	stack    string // of a panic
}

func (e *faultError) Error() string { return e.document.Error() }

func (e *faultError) Unwrap() error { return e.document }

// guarded runs a part of cutting that works on nothing but the bytes of one file. What goes wrong in it otherwise than by
// the file's refusal or ctx's end, a panic too, is a *faultError. The contract has no code of its own for that: to
// whoever asks for the document it is damaged, and the message says whose bug it is.
func guarded(ctx context.Context, doing string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &faultError{faulty(doing, fmt.Errorf("panic: %v", r)), string(debug.Stack())}
		}
	}()
	err = f()
	if _, refused := blamesFile(err); err == nil || refused || ctx.Err() != nil {
		return err
	}
	return &faultError{document: faulty(doing, err)}
}

func faulty(doing string, err error) *sdk.Error {
	return sdk.Errorf(sdk.CodeDamaged, "a bug in cleave, not in the file, in %s: %v; please report it", doing, err)
}

// blamesFile tells whether err is the file's fault (its own, its plugin's or ours on it), and not that of the store, the
// disk or whoever ended ctx.
func blamesFile(err error) (*sdk.Error, bool) {
	var e *sdk.Error
	return e, errors.As(err, &e)
}

// leavesOut tells whether err says that the file is no document for us, rather than a document that failed: such a file
// is listed with the reason and is not tried again before it changes. A plugin's word for that is not enough, since it
// would take away the file's last good version (I12).
func leavesOut(err error) bool {
	var e *sdk.Error
	if errors.As(err, new(pluginError)) || !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case sdk.CodeBinary, sdk.CodeUnsupportedType, sdk.CodeTooLarge:
		return true
	}
	return false
}
