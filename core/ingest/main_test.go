package ingest_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/cleave-project/cleave/core/dispatch"
)

// programs is where TestMain built the plugins: the two real ones, the test plugin, and in again/ the test plugin built
// in another way, so that it says the same and has another checksum.
var programs string

// programsVariable names programs that are built already, for a test that runs itself again as another user.
const programsVariable = "INGEST_PROGRAMS"

func TestMain(m *testing.M) {
	if programs = os.Getenv(programsVariable); programs != "" {
		os.Exit(m.Run())
	}
	code := 1
	if err := buildPlugins(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
	}
	_ = os.RemoveAll(programs) // of no use to anybody if it fails
	os.Exit(code)
}

func buildPlugins() (err error) {
	if programs, err = os.MkdirTemp("", "cleave-ingest"); err != nil {
		return err
	}
	if err := os.Chmod(programs, 0o755); err != nil { // a helper of another user runs them too
		return err
	}
	for _, b := range []struct{ out, pkg, flags string }{
		{"cleave-plugin-markdown", "./plugins/markdown", ""},
		{"cleave-plugin-text", "./plugins/text", ""},
		{"cleave-plugin-test", "./sdk/host/testdata/testplugin", ""},
		{"again/cleave-plugin-test", "./sdk/host/testdata/testplugin", "-s -w"},
	} {
		cmd := exec.Command("go", "build", "-ldflags", b.flags, "-o", filepath.Join(programs, b.out), b.pkg)
		cmd.Dir = "../.."
		if msg, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go build %s: %w\n%s", b.pkg, err, msg)
		}
	}
	return nil
}

// hangAfter is the deadline of the test plugin, which hangs when it is told to.
const hangAfter = 2 * time.Second

// openPlugins runs the programs named; the test plugin with a short deadline.
func openPlugins(t testing.TB, names ...string) *dispatch.Dispatcher {
	t.Helper()
	var list []dispatch.Plugin
	for _, name := range names {
		list = append(list, dispatch.Plugin{Name: filepath.Base(name), Command: []string{program(name)}, Timeout: hangAfter})
	}
	return openPluginList(t, list...)
}

func openPluginList(t testing.TB, list ...dispatch.Plugin) *dispatch.Dispatcher {
	t.Helper()
	sockets, err := os.MkdirTemp("", "cl") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(sockets) })
	d, err := dispatch.Open(context.Background(), dispatch.Options{
		Plugins: list, Workers: 2, SocketDir: sockets, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// program is the path of a plugin that TestMain built, or name where it is a path already.
func program(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	dir, base := filepath.Split(name)
	return filepath.Join(programs, dir, "cleave-plugin-"+base)
}
