package store_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

const fullDir = "CLEAVE_TEST_FULL_DIR"

// fullDocuments are published before the disk fills.
const fullDocuments = 200

// closeFull publishes, fills the file system to the last byte and closes the store; it says what Close said.
func closeFull(dir string) string {
	ctx := context.Background()
	s, err := store.Open(ctx, dir, store.Options{})
	if err != nil {
		return "open: " + err.Error()
	}
	err = s.Stage(ctx, docs, func(st *store.Stage) error {
		var u store.Update
		for i := range fullDocuments {
			doc, chunks := document(prose(i, 1000))
			id, err := st.PutDocument(ctx, doc, prose(i, 1000), chunks, nil)
			if err != nil {
				return err
			}
			u.Edits = append(u.Edits, store.Edit{Path: object.Path(fmt.Sprint(i)), Entry: &object.Entry{Doc: id, Bytes: doc.Bytes, Chunks: len(chunks)}})
		}
		_, _, err := st.Publish(ctx, u)
		return err
	})
	if err != nil {
		return "publish: " + err.Error()
	}
	if err := fill(filepath.Join(dir, "..", "fill")); !errors.Is(err, syscall.ENOSPC) {
		return fmt.Sprintf("fill: %v", err)
	}
	var full *store.FullError
	if err := s.Close(); !errors.As(err, &full) {
		return fmt.Sprintf("close: %v", err)
	}
	return "full"
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// fill writes a file until there is no room left.
func fill(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close() // the error that counts is the copy's
	_, err = io.Copy(f, zeros{})
	return err
}

// A process that ends on a full disk does so in order, is told at the next start how much room to make, and finds
// everything when there is some again (I1).
func TestCloseOnFullDisk(t *testing.T) {
	mount := t.TempDir()
	if err := syscall.Mount("none", mount, "tmpfs", 0, "size=420m"); err != nil {
		t.Skipf("mount of a small file system: %v (run as root)", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(mount, 0); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
	dir := filepath.Join(mount, "state")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), fullDir+"="+dir)
	out, err := cmd.CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != "full" {
		t.Fatalf("got %v, %.2000s", err, got)
	}
	var full *store.FullError
	if _, err := store.Open(ctx, dir, store.Options{}); !errors.As(err, &full) || full.Free != 0 ||
		!strings.Contains(err.Error(), "make room for 256 MiB") {
		t.Errorf("open on the full disk: %v", err)
	}
	if err := os.Remove(filepath.Join(mount, "fill")); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(ctx, dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	check(t, s)
	if h, err := s.Head(ctx, docs); err != nil || h.Counts.Documents != fullDocuments {
		t.Errorf("head with room again: %+v %v", h, err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("close with room again: %v", err)
	}
}
