package dispatch_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cleave-project/cleave/core/dispatch"
	"github.com/cleave-project/cleave/sdk"
)

// TestDeathWhileIdle: a process that was killed between two calls costs no file.
func TestDeathWhileIdle(t *testing.T) {
	d := open(t, 1, named(t, "test", "*.test"))
	for round := range 3 {
		if _, err := split(t.Context(), d, "good"); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		for _, pid := range children(t) {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestProgramReplaced: a program that is replaced while it runs goes on as it is; a new process of other bytes is not
// started under the old identity (W34).
func TestProgramReplaced(t *testing.T) {
	p := named(t, "test", "*.test")
	d := open(t, 1, p)
	if err := os.Remove(p.Command[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.Command[0], []byte("#!/bin/sh\ntouch "+filepath.Join(t.TempDir(), "pwned")+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := split(t.Context(), d, "good"); err != nil {
		t.Errorf("the running process: %v", err)
	}
	if _, err := split(t.Context(), d, "CRASH"); code(err) == "" {
		t.Errorf("the crash: %v", err)
	}
	_, err := split(t.Context(), d, "good")
	if code(err) != sdk.CodePluginRefused || !errors.Is(err, dispatch.ErrDown) ||
		!strings.Contains(err.Error(), "the program changed while cleaved ran; restart cleaved") {
		t.Errorf("after the crash: %v", err)
	}
	if trouble := d.Status()[0].Error; !strings.Contains(trouble, "restart cleaved") {
		t.Errorf("Status says %q", trouble)
	}
}

// TestPin: a program with another checksum than the operator's never runs.
func TestPin(t *testing.T) {
	p := named(t, "test", "*.test")
	p.SHA256, p.Match = strings.Repeat("ab", 32), []string{"*.test"}
	d := open(t, 1, p)
	if status := d.Status(); !strings.Contains(status[0].Error, "pinned checksum") || status[0].Processes != 0 {
		t.Errorf("Status = %+v", status)
	}
	if r := d.Route("a.test", nil); r.Err == nil || r.Err.Code != sdk.CodePluginRefused {
		t.Errorf("Route = %+v", r)
	}
}

// TestRevive: a plugin that could not start is tried again once its rest is over.
func TestRevive(t *testing.T) {
	p := named(t, "late", "*.late")
	program := p.Command[0]
	hidden := program + ".away"
	if err := os.Rename(program, hidden); err != nil {
		t.Fatal(err)
	}
	d := open(t, 1, p)
	if r := d.Route("a.late", nil); r.Err == nil {
		t.Fatalf("Route = %+v", r)
	}
	if err := os.Rename(hidden, program); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool {
		d.Revive(t.Context())
		return d.Route("a.late", nil).Err == nil
	})
}

// TestLimits: content over the file limit is not sent, and the processes are as many as allowed.
func TestLimits(t *testing.T) {
	p := named(t, "test", "*.test")
	p.Processes = 1
	d, err := dispatch.Open(t.Context(), dispatch.Options{Plugins: []dispatch.Plugin{p}, Workers: 4, SocketDir: shortDir(t), MaxBytes: 10})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	if _, err := split(t.Context(), d, "more than ten"); code(err) != sdk.CodeTooLarge {
		t.Errorf("Split = %v", err)
	}
	results := make(chan error)
	for range 8 {
		go func() {
			_, err := split(t.Context(), d, "good")
			results <- err
		}()
	}
	for range 8 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	if status := d.Status(); status[0].Processes != 1 || status[0].Calls != 8 {
		t.Errorf("Status = %+v", status)
	}
}

// TestSocketDir: what a killed dispatcher has left is removed, what is not ours stays, and a folder that cannot be made
// is an error.
func TestSocketDir(t *testing.T) {
	dir := shortDir(t)
	for _, name := range []string{"plugin-dir123", "mine"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	d, err := dispatch.Open(t.Context(), dispatch.Options{SocketDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := os.Stat(filepath.Join(dir, "plugin-dir123")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the leftover: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "mine")); err != nil {
		t.Errorf("the other folder: %v", err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if _, err := dispatch.Open(t.Context(), dispatch.Options{SocketDir: "/proc/nowhere"}); err == nil {
		t.Error("a directory in /proc was made")
	}
}
