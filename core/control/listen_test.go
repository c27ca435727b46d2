package control_test

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cleave-project/cleave/core/control"
)

func listen(t *testing.T, path string) net.Listener {
	t.Helper()
	ln, err := control.Listen(path, 0o640, "")
	if err != nil {
		t.Fatal(err)
	}
	return ln
}

// abandon leaves a socket at path that nobody listens on, as a daemon that was killed does.
func abandon(t *testing.T, path string) {
	t.Helper()
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	ln.SetUnlinkOnClose(false)
	ln.Close()
}

func TestListenMakesFolderAndMode(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	path := filepath.Join(dir, "s")
	ln := listen(t, path)
	for p, want := range map[string]fs.FileMode{dir: fs.ModeDir | 0o755, path: fs.ModeSocket | 0o640} {
		if info, err := os.Lstat(p); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v, want %v", p, info, err, want)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left beside the socket: %v", entries)
	}
	ln.Close()
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left after close: %v", entries)
	}
}

func TestListenReplacesStale(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	abandon(t, path)
	ln := listen(t, path)
	defer ln.Close()
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

func TestListenRefusesWhatIsThere(t *testing.T) {
	cases := map[string]func(t *testing.T, path string){
		"regular file":  func(t *testing.T, p string) { os.WriteFile(p, []byte("mine"), 0o600) },
		"directory":     func(t *testing.T, p string) { os.Mkdir(p, 0o700) },
		"symbolic link": func(t *testing.T, p string) { abandon(t, p+".real"); os.Symlink(p+".real", p) },
		"another": func(t *testing.T, p string) {
			ln := listen(t, p)
			t.Cleanup(func() { ln.Close() })
		},
	}
	for what, put := range cases {
		t.Run(what, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s")
			put(t, path)
			before, err := os.Lstat(path)
			if err != nil {
				t.Fatal(err)
			}
			_, err = control.Listen(path, 0o666, "")
			if !errors.Is(err, control.ErrOccupied) || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v", err)
			}
			if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) {
				t.Errorf("%s was touched: %v", what, err)
			}
		})
	}
}

func TestCloseLeavesSuccessor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	old := listen(t, path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	successor := listen(t, path)
	defer successor.Close()
	old.Close()
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatalf("the successor's socket is gone: %v", err)
	}
	c.Close()
}

func TestOneOfManyStartersWins(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	abandon(t, path)
	var won atomic.Int32
	var wg sync.WaitGroup
	lns := make([]net.Listener, 20)
	for i := range lns {
		wg.Go(func() {
			ln, err := control.Listen(path, 0o666, "")
			if err == nil {
				won.Add(1)
				lns[i] = ln
			}
		})
	}
	wg.Wait()
	for _, ln := range lns {
		if ln != nil {
			ln.Close()
		}
	}
	if won.Load() != 1 {
		t.Errorf("%d daemons listen", won.Load())
	}
}

func TestLongPath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("d", 120))
	path := filepath.Join(dir, "s")
	start(t, listen(t, path), &fake{}, control.Options{Admins: admit})
	if _, err := control.Dial(path).Version(t.Context(), control.VersionRequest{}); err != nil {
		t.Error(err)
	}
}

func TestUnknownGroup(t *testing.T) {
	if _, err := control.Listen(filepath.Join(t.TempDir(), "s"), 0o666, "no-such-group"); err == nil || !strings.Contains(err.Error(), "socket_group") {
		t.Errorf("error %v", err)
	}
}

func TestUnreachable(t *testing.T) {
	dir := t.TempDir()
	abandon(t, filepath.Join(dir, "dead"))
	for _, name := range []string{"dead", "missing"} {
		_, err := control.Dial(filepath.Join(dir, name)).Status(t.Context(), control.StatusRequest{})
		if e := wantError(t, err, "unreachable", control.ExitUnreachable); !strings.Contains(e.Message, "start cleaved") {
			t.Errorf("%s: does not say what to do: %s", name, e.Message)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := control.Dial(filepath.Join(dir, "dead")).Status(ctx, control.StatusRequest{})
	wantError(t, err, "failed", control.ExitFailed)
}

func TestSocketPath(t *testing.T) {
	env := func(m map[string]string) func(string) string { return func(k string) string { return m[k] } }
	dir := t.TempDir()
	own := filepath.Join(dir, "cleave", "cleave.sock")
	ln := listen(t, own)
	defer ln.Close()
	cases := []struct {
		flag string
		env  map[string]string
		want string
	}{
		{"/f", map[string]string{"CLEAVE_SOCKET": "/e"}, "/f"},
		{"", map[string]string{"CLEAVE_SOCKET": "/e", "XDG_RUNTIME_DIR": dir}, "/e"},
		{"", map[string]string{}, control.DefaultSocket},
		{"", map[string]string{"XDG_RUNTIME_DIR": "/nowhere"}, control.DefaultSocket},
	}
	if _, err := os.Lstat(control.DefaultSocket); err != nil {
		cases = append(cases, struct {
			flag string
			env  map[string]string
			want string
		}{"", map[string]string{"XDG_RUNTIME_DIR": dir}, own})
	}
	for _, c := range cases {
		if got := control.SocketPath(c.flag, env(c.env)); got != c.want {
			t.Errorf("SocketPath(%q, %v) = %s, want %s", c.flag, c.env, got, c.want)
		}
	}
}
