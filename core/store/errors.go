package store

import (
	"errors"
	"fmt"

	"github.com/cleave-project/cleave/core/object"
)

var (
	// ErrNoGeneration: the source has no generation yet, or none of that number.
	ErrNoGeneration = errors.New("no such generation")
	// ErrBusy: another stage of the same source is open.
	ErrBusy = errors.New("a stage of this source is open")
	// ErrHeadMoved: the head is not the stage's parent any more.
	ErrHeadMoved = errors.New("the head has moved since the stage began")
	// ErrClosed: the store has been closed.
	ErrClosed = errors.New("the store is closed")
)

// DamageError: something a record names is missing or is not what its hash says (I3).
type DamageError struct {
	ID  object.ID // zero where the damaged thing has a key of its own
	Key string    // of what has one
	Why string
}

func (e *DamageError) Error() string {
	if e.Key != "" {
		return fmt.Sprintf("store damaged: %q: %s", e.Key, e.Why)
	}
	return fmt.Sprintf("store damaged: object %s: %s", e.ID, e.Why)
}

// OccupiedError: another process has the store open.
type OccupiedError struct {
	Dir string
	PID int // 0 if the holder did not say
}

func (e *OccupiedError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("state directory %s is in use by another process (stop it, or choose another state_dir)", e.Dir)
	}
	return fmt.Sprintf("state directory %s is in use by process %d (stop it, or choose another state_dir)", e.Dir, e.PID)
}

// ReplacedError: what lies in the directory is not the store that the identity file beside it tells of. Nothing has
// been removed.
type ReplacedError struct {
	Dir string
	Why string
}

func (e *ReplacedError) Error() string {
	return fmt.Sprintf("state directory %s does not hold its store: %s; move it away to start anew from the sources", e.Dir, e.Why)
}

// OldError: a source's head is behind what was acknowledged. The source is refused; the others are served.
type OldError struct {
	Source             object.Source
	Head, Acknowledged uint64 // Head is 0 if there is none
}

func (e *OldError) Error() string {
	return fmt.Sprintf("source %s: the store holds generation %d, but %d was acknowledged: it is an old copy or damaged",
		e.Source, e.Head, e.Acknowledged)
}

// BrokenError: the files in a store's directory cannot be opened. Nothing has been removed.
type BrokenError struct {
	Dir   string
	Why   string // short, of one line
	Cause error
}

func (e *BrokenError) Error() string {
	return fmt.Sprintf("the store at %s is damaged (%s); move %s aside and start again: everything is rebuilt from the sources",
		e.Dir, e.Why, e.Dir)
}

func (e *BrokenError) Unwrap() error { return e.Cause }

// FullError: less than the reserve is left on the file system. Badger dies on a full one, so the store stops before.
type FullError struct {
	Dir        string
	Free, Need int64 // bytes
}

func (e *FullError) Error() string {
	const mebi = 1 << 20
	return fmt.Sprintf("the file system of %s has %d MiB free and the store needs %d MiB to write: make room for %d MiB there",
		e.Dir, e.Free/mebi, e.Need/mebi, (e.Need-e.Free+mebi-1)/mebi)
}

// FencedError: a write or sync failed, so what is on disk is not known. Nothing is written until the store is opened
// again.
type FencedError struct{ Cause error }

func (e *FencedError) Error() string {
	return fmt.Sprintf("the store takes no more writes until it is opened again: %v", e.Cause)
}

func (e *FencedError) Unwrap() error { return e.Cause }
