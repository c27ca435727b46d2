package main_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// patience is what a loaded machine takes to start a client and to send and print what it answers.
const patience = time.Minute

// served is a daemon that answers, and the client to ask it with.
type served struct{ cleave, socket string }

// serve starts cleaved with the real plugins and an empty source, and ends it with the test.
func serve(t *testing.T) served {
	t.Helper()
	bin, dir := build(t), t.TempDir()
	for _, sub := range []string{"run", "tree"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	config := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(config, []byte(configFor(dir)), 0o644); err != nil {
		t.Fatal(err)
	}
	notify := filepath.Join(dir, "run", "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: notify, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	log, err := os.Create(filepath.Join(dir, "cleaved.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(filepath.Join(bin, "cleaved"), "--config", config, "--plugin-dir", filepath.Join(bin, "plugins"))
	cmd.Env = append(os.Environ(), "NOTIFY_SOCKET="+notify)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	d := &daemons{cmd: cmd, exited: make(chan error, 1)}
	go func() { d.exited <- cmd.Wait() }()
	t.Cleanup(func() {
		if err := d.end(syscall.SIGTERM); err != nil {
			t.Errorf("stop: %v\n%s", err, tail(log.Name()))
		}
	})
	if err := waitReady(conn); err != nil {
		t.Fatalf("%v\n%s", err, tail(log.Name()))
	}
	return served{cleave: filepath.Join(bin, "cleave"), socket: filepath.Join(dir, "run", "cleave.sock")}
}
