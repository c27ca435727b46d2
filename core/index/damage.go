package index

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// DamageError says that the files of an index cannot be read. Reset mends it.
type DamageError struct {
	What string
}

func (e *DamageError) Error() string { return "damaged index: " + e.What }

// recoverDamage turns a panic of the engine, which trusts its files, into a DamageError. It is deferred where the engine
// is called; a panic of ours does not pass there.
func recoverDamage(err *error) {
	if r := recover(); r != nil {
		*err = &DamageError{What: fmt.Sprint(r)}
	}
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
