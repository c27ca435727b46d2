package plugin_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/cleave-project/cleave/sdk"
	"github.com/cleave-project/cleave/sdk/plugin"
)

// asPlugin, set to a name, makes this test binary a plugin of that name.
const asPlugin = "TEST_PLUGIN_NAME"

func TestMain(m *testing.M) {
	if name, ok := os.LookupEnv(asPlugin); ok {
		plugin.Serve(named(name))
		return
	}
	os.Exit(m.Run())
}

type named string

func (n named) Info() sdk.Info {
	return sdk.Info{Name: string(n), Version: "7", Input: sdk.InputText}
}

func (named) Split(context.Context, sdk.File) (sdk.Outline, error) { return sdk.Outline{}, nil }

func command(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(env, "PLUGIN_UNIX_SOCKET_DIR="+t.TempDir(), "PLUGIN_PROTOCOL_VERSIONS=1")
	return cmd
}

// TestOneClearLine: by hand, or with an Info that no host would take, there is one line, and status 1.
func TestOneClearLine(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  []string
		says string
	}{
		{"by hand", []string{asPlugin + "=tidy"}, "a splitter plugin of cleave (tidy 7)"},
		{"wrong cookie", []string{asPlugin + "=tidy", "CLEAVE_PLUGIN=other"}, "a splitter plugin of cleave (tidy 7)"},
		{"bad name", []string{asPlugin + "=Not Tidy", "CLEAVE_PLUGIN=splitter"}, `name "Not Tidy" does not match`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr strings.Builder
			cmd := command(t, tt.env...)
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			var exit *exec.ExitError
			if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Errorf("Run = %v", err)
			}
			if got := stderr.String(); !strings.Contains(got, tt.says) || strings.Count(got, "\n") != 1 || stdout.Len() > 0 {
				t.Errorf("stderr %q, stdout %q", got, stdout.String())
			}
		})
	}
}

// TestEndsWithItsHost: the end of standard input is the end of the plugin, without any signal (W26).
func TestEndsWithItsHost(t *testing.T) {
	cmd := command(t, asPlugin+"=tidy", "CLEAVE_PLUGIN=splitter")
	alive, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "1|1|unix|") {
		t.Fatalf("handshake %q, %v", line, err)
	}
	if err := alive.Close(); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if err := cmd.Wait(); err != nil || time.Since(start) > 5*time.Second {
		t.Errorf("Wait = %v after %v", err, time.Since(start))
	}
}
