package dispatch_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/cleave-project/cleave/core/dispatch"
	"github.com/cleave-project/cleave/sdk"
)

// testPlugin is the misbehaving plugin of sdk/host, built once.
var testPlugin string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "d")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	testPlugin = filepath.Join(dir, "cleave-plugin-test")
	build := exec.Command("go", "build", "-o", testPlugin, "../../sdk/host/testdata/testplugin")
	build.Stderr = os.Stderr
	code := 1
	if err := build.Run(); err == nil {
		code = m.Run()
	}
	_ = os.RemoveAll(dir)
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// shortDir is a directory whose path fits a socket's.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func open(t *testing.T, workers int, plugins ...dispatch.Plugin) *dispatch.Dispatcher {
	t.Helper()
	d, err := dispatch.Open(t.Context(), dispatch.Options{Plugins: plugins, Workers: workers, SocketDir: shortDir(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func split(ctx context.Context, d *dispatch.Dispatcher, content string) (sdk.Outline, error) {
	return d.Split(ctx, d.Route("a.test", nil), sdk.File{Content: []byte(content), MediaType: "text/plain"})
}

func code(err error) sdk.Code {
	var document *sdk.Error
	if errors.As(err, &document) {
		return document.Code
	}
	return ""
}

// eventually looks every few milliseconds and fails the test after ten seconds.
func eventually(t *testing.T, is func() bool) {
	t.Helper()
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.Now().Add(10 * time.Second); !is(); <-ticker.C {
		if time.Now().After(deadline) {
			t.Fatal("it does not come about")
		}
	}
}

// children lists the processes whose parent is this one, zombies left out.
func children(t *testing.T) []int {
	t.Helper()
	entries, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var found []int
	for _, entry := range entries {
		stat, err := os.ReadFile(entry)
		if err != nil {
			continue // it has ended
		}
		_, after, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(after)
		if len(fields) > 1 && fields[0] != "Z" && fields[1] == strconv.Itoa(os.Getpid()) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(entry)))
			found = append(found, pid)
		}
	}
	return found
}

// TestEachFaultCostsOneFile: of 60 files each bad one fails with its own code and all the good ones are split, whatever
// the order and with several workers (C8, W28-W37).
func TestEachFaultCostsOneFile(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	faults := map[string]sdk.Code{
		"HANG":            sdk.CodeParseTimeout,
		"SLOW":            sdk.CodeParseTimeout,
		"STOP":            sdk.CodeParseTimeout,
		"CRASH":           sdk.CodePluginCrashed,
		"EXIT":            sdk.CodePluginCrashed,
		"MANY":            sdk.CodePluginBrokeContract,
		"LIE kind":        sdk.CodePluginBrokeContract,
		"REFUSE":          sdk.CodeDamaged,
		"FAIL":            sdk.CodePluginRefused,
		"FLOOD":           "",
		"FORK " + pidFile: "",
	}
	d := open(t, 3, dispatch.Plugin{Name: "test", Command: []string{testPlugin}, Timeout: 4 * time.Second})
	var files []string
	for fault := range faults {
		files = append(files, fault)
	}
	for i := range 48 {
		files = append(files, fmt.Sprintf("good file %d", i))
	}
	work := make(chan string)
	var workers sync.WaitGroup
	for range 3 {
		workers.Go(func() {
			for file := range work {
				_, err := split(t.Context(), d, file)
				if got, want := code(err), faults[file]; got != want || (want == "") != (err == nil) {
					t.Errorf("%s: %v, want code %q", file, err, want)
				}
				if err != nil && strings.ContainsAny(err.Error(), "\n\x1b") {
					t.Errorf("%s: %q is not one clean line", file, err)
				}
			}
		})
	}
	for i := range files { // a fault after every few good files
		work <- files[i*7%len(files)]
	}
	close(work)
	workers.Wait()

	status := d.Status()
	if len(status) != 1 || status[0].Error != "" || status[0].Processes < 1 || status[0].Processes > 3 {
		t.Errorf("Status = %+v", status)
	}
	if got := status[0].Crashes; got < 7 {
		t.Errorf("%d crashes are counted, want at least 7", got)
	}
	start := time.Now()
	if err := d.Close(); err != nil || time.Since(start) > 10*time.Second {
		t.Errorf("Close took %v: %v", time.Since(start), err)
	}
	if left := children(t); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
	killGrandchild(t, pidFile)
}

func killGrandchild(t *testing.T, pidFile string) {
	t.Helper()
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Errorf("the grandchild was to be there still: %v", err)
	}
}

// TestCloseEndsCalls: a call that Close ends is nobody's fault (W27).
func TestCloseEndsCalls(t *testing.T) {
	d := open(t, 2, dispatch.Plugin{Name: "test", Command: []string{testPlugin}})
	failed := make(chan error)
	go func() {
		_, err := split(context.WithoutCancel(t.Context()), d, "HANG")
		failed <- err
	}()
	eventually(t, func() bool { return d.Status()[0].Calls > 0 })
	start := time.Now()
	if err := d.Close(); err != nil || time.Since(start) > 5*time.Second {
		t.Errorf("Close took %v: %v", time.Since(start), err)
	}
	if err := <-failed; !errors.Is(err, dispatch.ErrClosed) {
		t.Errorf("Split = %v, want ErrClosed", err)
	}
	if _, err := split(t.Context(), d, "x"); !errors.Is(err, dispatch.ErrClosed) {
		t.Errorf("Split after Close = %v, want ErrClosed", err)
	}
	if left := children(t); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}

// TestCancelled: the caller's own end is no code for the document.
func TestCancelled(t *testing.T) {
	d := open(t, 1, dispatch.Plugin{Name: "test", Command: []string{testPlugin}})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := split(ctx, d, "SLOW"); !errors.Is(err, context.DeadlineExceeded) || code(err) != "" {
		t.Errorf("Split = %v, want the caller's deadline", err)
	}
	if _, err := split(t.Context(), d, "fine"); err != nil {
		t.Errorf("the next file: %v", err)
	}
}
