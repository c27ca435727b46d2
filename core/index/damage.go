package index

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// DamageError says that the files of an index cannot be read. A new index in another directory mends it, or Open of this
// one once it is closed.
type DamageError struct {
	What string
}

func (e *DamageError) Error() string { return "damaged index: " + e.What }

// VersionError says that an index was made by another version of the analyzer.
type VersionError struct {
	Found uint32
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("made by analyzer version %d, not %d", e.Found, AnalyzerVersion)
}

// isStale tells whether an index has to be made anew. Anything else passes, or is for a person to mend.
func isStale(err error) bool {
	var damage *DamageError
	var version *VersionError
	return errors.As(err, &damage) || errors.As(err, &version)
}

// unlessEnded takes an error that the engine gave while it read for damage, since its files are mapped and reading them
// fails in no other way; unless ctx ended.
func unlessEnded(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || isStale(err) {
		return err
	}
	return &DamageError{What: err.Error()}
}

// recoverDamage turns a panic of the engine, which trusts its files, into a DamageError. It is deferred where the engine
// is called; a panic of ours does not pass there.
func recoverDamage(err *error) {
	if r := recover(); r != nil {
		*err = &DamageError{What: fmt.Sprint(r)}
	}
}

// rootFile is the engine's database of what its segments are.
const rootFile = "root.bolt"

// verifyRoot walks all pages of the database. The engine trusts them, and where it does not, it ends with the file open.
func verifyRoot(path string) (err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil // nothing was written yet
	}
	if err != nil {
		return err
	}
	defer recoverDamage(&err)
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, Timeout: lockWait, PreLoadFreelist: true})
	if err != nil {
		return damageOf(err)
	}
	defer db.Close()
	return db.View(func(tx *bolt.Tx) error {
		var first error
		for err := range tx.Check() {
			if first == nil {
				first = &DamageError{What: rootFile + ": " + err.Error()}
			}
		}
		return first
	})
}

// damageOf tells what a file holds from what keeps it from being opened: a lock, a limit or a permission.
func damageOf(err error) error {
	var path *fs.PathError
	var system *os.SyscallError
	var number syscall.Errno
	if errors.Is(err, bolterrors.ErrTimeout) || errors.As(err, &path) || errors.As(err, &system) || errors.As(err, &number) {
		return fmt.Errorf("%s: %w", rootFile, err)
	}
	return &DamageError{What: rootFile + ": " + err.Error()}
}

// verifySegments compares every segment file with the CRC-32 of its content in its last four bytes. The engine writes
// that sum and never reads it, and a flipped byte would answer wrongly or crash the process. Reading costs about 0.1 s
// for each 100 MB, once, at start.
func verifySegments(dir string) error {
	paths, err := filepath.Glob(filepath.Join(dir, "*.zap"))
	if err != nil {
		return fmt.Errorf("segments of %s: %w", dir, err)
	}
	for _, path := range paths {
		if err := verifySegment(path); err != nil {
			return err
		}
	}
	return nil
}

func verifySegment(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("segment: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("segment: %w", err)
	}
	sum := crc32.NewIEEE()
	body := info.Size() - crc32.Size
	if body < 0 {
		return &DamageError{What: "short segment " + filepath.Base(path)}
	}
	if _, err := io.CopyN(sum, f, body); err != nil {
		return fmt.Errorf("segment %s: %w", path, err)
	}
	var want [crc32.Size]byte
	if _, err := io.ReadFull(f, want[:]); err != nil {
		return fmt.Errorf("segment %s: %w", path, err)
	}
	if sum.Sum32() != binary.BigEndian.Uint32(want[:]) {
		return &DamageError{What: "checksum of segment " + filepath.Base(path)}
	}
	return nil
}
