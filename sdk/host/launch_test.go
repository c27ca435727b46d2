package host_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cleave-project/cleave/sdk"
	"github.com/cleave-project/cleave/sdk/host"
)

// write makes a file that is no plugin.
func write(t *testing.T, content string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cleave-plugin-fake")
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestNotAPlugin: whatever is in the plugin directory, it costs one clear line that names it, in time (W31).
func TestNotAPlugin(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "cleave-plugin-fifo")
	if err := unix.Mkfifo(fifo, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, program string
		kind          error
		says          string
	}{
		{"ends at once", "/bin/true", host.ErrNotPlugin, "exit status 0"},
		{"missing", "/nonexistent/cleave-plugin-x", host.ErrStart, "no such file"},
		{"relative", "cleave-plugin-x", host.ErrStart, "not absolute"},
		{"directory", t.TempDir(), host.ErrStart, "not a regular file"},
		{"fifo", fifo, host.ErrStart, "not a regular file"},
		{"not executable", write(t, "#!/bin/sh\n", 0o644), host.ErrStart, "not executable"},
		{"another architecture", write(t, "\x7fELF\x02\x01\x01garbage", 0o755), host.ErrStart, "exec format"},
		{"missing interpreter", write(t, "#!/nonexistent/python\n", 0o755), host.ErrStart, "interpreter"},
		{"banner", write(t, "#!/bin/sh\necho Welcome to $0 | tr -d /\nsleep 60\n", 0o755), host.ErrNotPlugin, "Welcome to"},
		{"banner with escapes", write(t, "#!/bin/sh\nprintf '\\033[2Jhi\\n'\nsleep 60\n", 0o755), host.ErrNotPlugin, `\x1b[2Jhi`},
		{"long line", write(t, "#!/bin/sh\nhead -c 300000 /dev/zero | tr '\\0' x\nsleep 60\n", 0o755), host.ErrNotPlugin, "xxx..."},
		{"complains", write(t, "#!/bin/sh\necho no licence >&2\nexit 7\n", 0o755), host.ErrNotPlugin, "no licence"},
		{"silence", write(t, "#!/bin/sh\nsleep 60\n", 0o755), host.ErrNotPlugin, "within 1s"},
		{"newer protocol", write(t, "#!/bin/sh\necho '1|99|unix|'$PLUGIN_UNIX_SOCKET_DIR'/s|grpc'\nsleep 60\n", 0o755), host.ErrNotPlugin, "99"},
		{"net/rpc", write(t, "#!/bin/sh\necho '1|1|unix|'$PLUGIN_UNIX_SOCKET_DIR'/s|netrpc'\nsleep 60\n", 0o755), host.ErrNotPlugin, "netrpc"},
		{"tcp", write(t, "#!/bin/sh\necho '1|1|tcp|127.0.0.1:1|grpc'\nsleep 60\n", 0o755), host.ErrNotPlugin, "127.0.0.1:1"},
		{"another folder", write(t, "#!/bin/sh\necho '1|1|unix|/tmp/s|grpc'\nsleep 60\n", 0o755), host.ErrNotPlugin, "/tmp/s"},
		{"nobody listens", write(t, "#!/bin/sh\necho '1|1|unix|'$PLUGIN_UNIX_SOCKET_DIR'/s|grpc'\nsleep 60\n", 0o755), host.ErrNotPlugin, "no such file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			p, err := host.Launch(t.Context(), host.Options{
				Command: []string{tt.program}, SocketDir: socketDir(t), Limits: host.Limits{Start: time.Second}})
			if err == nil {
				t.Fatalf("launched %+v: %v", p.Info(), p.Close())
			}
			if took := time.Since(start); took > 6*time.Second {
				t.Errorf("took %v", took)
			}
			var refused *sdk.Error
			if !errors.Is(err, tt.kind) || !errors.As(err, &refused) || refused.Code != sdk.CodePluginRefused {
				t.Errorf("%v is not %q", err, tt.kind)
			}
			line := err.Error()
			if !strings.Contains(line, tt.says) || !strings.Contains(line, filepath.Base(tt.program)) {
				t.Errorf("%q says nothing of %q", line, tt.says)
			}
			if strings.ContainsAny(line, "\n\x1b") || len(line) > 1000 {
				t.Errorf("%q is not one clean line", line)
			}
			t.Log(line)
		})
	}
}

// TestLaunchCancelled: ctx ends a start that hangs, and the error is ctx's own.
func TestLaunchCancelled(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	program := write(t, "#!/bin/sh\nsleep 60\n", 0o755)
	if _, err := host.Launch(ctx, host.Options{Command: []string{program}, SocketDir: socketDir(t)}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Launch = %v", err)
	}
}

// TestPinned: the checksum is that of the bytes that run (W34).
func TestPinned(t *testing.T) {
	content, err := os.ReadFile(testPlugin)
	if err != nil {
		t.Fatal(err)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(content))
	p := launch(t, host.Options{SHA256: strings.ToUpper(sum)})
	if p.Checksum() != sum {
		t.Errorf("Checksum = %s, want %s", p.Checksum(), sum)
	}
	running, err := os.ReadFile(fmt.Sprintf("/proc/%d/exe", p.Pid()))
	if err != nil || sha256.Sum256(running) != sha256.Sum256(content) {
		t.Errorf("another program runs: %v", err)
	}
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", p.Pid()))
	if err != nil || !strings.HasPrefix("cleave-plugin-test", strings.TrimSpace(string(name))) {
		t.Errorf("the process is called %q, %v", name, err)
	}
	_, err = host.Launch(t.Context(), host.Options{Command: []string{testPlugin}, SocketDir: socketDir(t), SHA256: strings.Repeat("0", 64)})
	if !errors.Is(err, host.ErrChecksum) || !strings.Contains(err.Error(), sum) {
		t.Errorf("Launch with another pin = %v", err)
	}
}

// TestForeignListener: a process that is not the plugin's cannot answer for it, though it listens on its socket.
func TestForeignListener(t *testing.T) {
	dir := socketDir(t)
	program := write(t, `#!/bin/sh
while [ ! -S $PLUGIN_UNIX_SOCKET_DIR/s ]; do sleep 0.01; done
echo "1|1|unix|$PLUGIN_UNIX_SOCKET_DIR/s|grpc"
sleep 60
`, 0o755)
	failed := make(chan error)
	go func() {
		_, err := host.Launch(t.Context(), host.Options{Command: []string{program}, SocketDir: dir})
		failed <- err
	}()
	var folder []string
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	for ; len(folder) == 0 && t.Context().Err() == nil; <-ticker.C {
		folder, _ = filepath.Glob(dir + "/plugin-dir*") // the pattern is well formed
	}
	listener, err := net.Listen("unix", folder[0]+"/s")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if err := <-failed; !errors.Is(err, host.ErrNotPlugin) || !strings.Contains(err.Error(), "does not belong to it") {
		t.Errorf("Launch = %v", err)
	}
}

// TestLongSocketDir: a path that no socket fits is refused at once and by its name (W31).
func TestLongSocketDir(t *testing.T) {
	dir := "/" + strings.Repeat("d", host.MaxSocketDir)
	if _, err := host.Launch(t.Context(), host.Options{Command: []string{testPlugin}, SocketDir: dir}); !errors.Is(err, host.ErrStart) ||
		!strings.Contains(err.Error(), dir) {
		t.Errorf("Launch = %v", err)
	}
}

// TestByHand: a plugin that is run from a shell says what it is, in one line.
func TestByHand(t *testing.T) {
	var stderr strings.Builder
	cmd := exec.Command(testPlugin)
	cmd.Stderr = &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 || strings.Count(stderr.String(), "\n") != 1 ||
		!strings.Contains(stderr.String(), "plugin of cleave (test 1)") {
		t.Errorf("%v, %q", err, stderr.String())
	}
}
