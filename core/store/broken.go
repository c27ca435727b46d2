package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/dgraph-io/badger/v4"
)

// broken makes a *BrokenError of what Badger, or our look at its files, says against them. What is no statement about
// the files does not become one: an end of the context, and what the system refuses.
func broken(dir string, err error) error {
	var replaced *ReplacedError
	switch {
	case errors.As(err, &replaced):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), refusedBySystem(err):
		return fmt.Errorf("open the store in %s: %w", dir, err)
	}
	why := shortCause(err)
	var damage *DamageError
	if errors.As(err, &damage) && damage.Key != "" {
		why = filepath.Base(damage.Key) + ": " + damage.Why
	}
	return &BrokenError{Dir: dir, Why: why, Cause: err}
}

// refusedBySystem tells errors of the system, which making room, rights or limits mend, from those of damage. Badger
// keeps only the texts of the errors it wraps, so they are looked for.
func refusedBySystem(err error) bool {
	text := err.Error()
	for _, e := range []syscall.Errno{
		syscall.EACCES, syscall.EPERM, syscall.EROFS, syscall.ENOSPC, syscall.EDQUOT, syscall.EMFILE, syscall.ENFILE,
		syscall.ENOMEM, syscall.EIO, syscall.EAGAIN, // EAGAIN: Badger's own lock is held by someone
	} {
		if errors.Is(err, e) || strings.Contains(text, e.Error()) {
			return true
		}
	}
	return false
}

// shortCauseMost bounds a cause in a message of one line, in bytes.
const shortCauseMost = 120

// shortCause is the innermost of the errors Badger strings together, on one line.
func shortCause(err error) string {
	text := err.Error()
	for _, seam := range []string{" err: ", " error: "} {
		if i := strings.LastIndex(text, seam); i >= 0 {
			text = text[i+len(seam):]
		}
	}
	text, _, _ = strings.Cut(text, "\n")
	if len(text) > shortCauseMost {
		text = strings.ToValidUTF8(text[:shortCauseMost], "") + "..."
	}
	return strings.TrimSpace(text)
}

// tryLogs looks at the files that Badger reads before its tables, whose damage it reports as trouble with encryption,
// which is not used here: each log begins with the number of its key, of which there is none but 0.
func tryLogs(dir string) error {
	if err := tryKeys(dir); err != nil {
		return err
	}
	for _, pattern := range []string{"*.vlog", "*.mem"} {
		logs, err := filepath.Glob(filepath.Join(dir, badgerDir, pattern))
		if err != nil {
			return fmt.Errorf("list logs: %w", err)
		}
		for _, log := range logs {
			if err := tryLog(log); err != nil {
				return err
			}
		}
	}
	return nil
}

func tryKeys(dir string) error {
	name := filepath.Join(dir, badgerDir, badger.KeyRegistryFileName)
	_, err := badger.OpenKeyRegistry(badger.KeyRegistryOptions{Dir: filepath.Dir(name), ReadOnly: true})
	if err == nil || refusedBySystem(err) {
		return err
	}
	return &DamageError{Key: name, Why: "it cannot be read"}
}

func tryLog(name string) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open a log: %w", err)
	}
	defer f.Close() // opened for reading
	var key [8]byte
	if _, err := io.ReadFull(f, key[:]); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil // shorter than its head: Badger begins it anew
	} else if err != nil {
		return fmt.Errorf("read a log: %w", err)
	}
	if !bytes.Equal(key[:], make([]byte, len(key))) {
		return &DamageError{Key: name, Why: "it does not begin as a log does"}
	}
	return nil
}
