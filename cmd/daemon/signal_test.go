package main_test

import (
	"errors"
	"net"
	"os/exec"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// hangup: sends SIGHUP to the daemon.
func hangup(ts *testscript.TestScript, neg bool, args []string) {
	d := ts.Value(daemonKey).(*daemons)
	d.mu.Lock()
	defer d.mu.Unlock()
	ts.Check(d.cmd.Process.Signal(syscall.SIGHUP))
}

// stopNow: with a client connected that says nothing, for which a stop waits for seconds, SIGTERM is sent until the
// daemon ends. The second one that reaches it ends it.
func stopNow(ts *testscript.TestScript, neg bool, args []string) {
	silent, err := net.Dial("unix", ts.Getenv("CLEAVE_SOCKET"))
	ts.Check(err)
	defer silent.Close()
	ts.Check(ts.Exec("cleave", "version")) // accepted after the silent one, so that one is known too
	d := ts.Value(daemonKey).(*daemons)
	d.mu.Lock()
	cmd, exited := d.cmd, d.exited
	d.cmd = nil
	d.mu.Unlock()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for deadline := time.After(stopWithin); ; {
		_ = cmd.Process.Signal(syscall.SIGTERM) // once it has ended there is nobody to tell
		select {
		case err := <-exited:
			exit, ok := errors.AsType[*exec.ExitError](err)
			if !ok || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
				ts.Fatalf("ended with %v, not by the second SIGTERM", err)
			}
			return
		case <-again.C:
		case <-deadline:
			_ = cmd.Process.Kill()
			ts.Fatalf("still running after %s of SIGTERM", stopWithin)
		}
	}
}
