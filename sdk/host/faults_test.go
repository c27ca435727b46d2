package host_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cleave-project/cleave/sdk"
	"github.com/cleave-project/cleave/sdk/host"
)

// TestFaults: died, hung, lied and refused are different errors with different codes (W28, W30, W37).
func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		content string
		kind    error // nil: the file is refused, and the plugin is fine
		code    sdk.Code
		says    string
	}{
		{"CRASH", host.ErrDied, sdk.CodePluginCrashed, "panic: poisoned"},
		{"EXIT", host.ErrDied, sdk.CodePluginCrashed, "exit status 3"},
		{"HANG", host.ErrTimeout, sdk.CodeParseTimeout, "timed out"},
		{"SLOW", host.ErrTimeout, sdk.CodeParseTimeout, "timed out"},
		{"STOP", host.ErrTimeout, sdk.CodeParseTimeout, "timed out"},
		{"BIG", host.ErrBrokeContract, sdk.CodePluginBrokeContract, "bytes"},
		{"MANY", host.ErrBrokeContract, sdk.CodePluginBrokeContract, "units"},
		{"LIE kind", host.ErrBrokeContract, sdk.CodePluginBrokeContract, "banana"},
		{"REFUSE", nil, sdk.CodeDamaged, `the test is damaged\x1b[31m`},
		{"FAIL", nil, sdk.CodePluginRefused, "something else"},
	} {
		t.Run(tt.content, func(t *testing.T) {
			p := launch(t, host.Options{})
			limit := time.Minute
			if tt.kind == host.ErrTimeout {
				limit = 200 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			_, err := split(ctx, p, tt.content)
			var document *sdk.Error
			if !errors.As(err, &document) || document.Code != tt.code {
				t.Fatalf("Split = %v, want code %s", err, tt.code)
			}
			if tt.kind != nil && !errors.Is(err, tt.kind) {
				t.Errorf("%v is not %q", err, tt.kind)
			}
			if !strings.Contains(document.Message, tt.says) || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("%q is not one clean line with %q", err, tt.says)
			}
			if tt.kind == nil {
				if _, err := split(t.Context(), p, "good"); err != nil {
					t.Errorf("the next file: %v", err)
				}
			}
			start := time.Now()
			if err := p.Close(); err != nil || time.Since(start) > 2*time.Second {
				t.Errorf("Close took %v: %v", time.Since(start), err)
			}
			if running(p.Pid()) {
				t.Errorf("process %d is there after Close", p.Pid())
			}
		})
	}
}

// TestLiesArrive: what is wrong with an outline is seen by who checks it; the host carries it (I12).
func TestLiesArrive(t *testing.T) {
	p := launch(t, host.Options{})
	for how, want := range map[string]sdk.Span{"negative": {Start: -5, End: 3}, "beyond": {Start: 0, End: 1 << 40}} {
		o, err := split(t.Context(), p, "LIE "+how)
		if err != nil || len(o.Units) != 1 || o.Units[0].Span != want {
			t.Errorf("%s: %+v, %v", how, o, err)
		}
	}
	if o, err := split(t.Context(), p, "LIE name"); err != nil || o.Units[0].Name != "\xff\xfe" {
		t.Errorf("name: %+v, %v", o, err)
	}
}

// TestCancelled: the caller's cancellation is neither a death nor a timeout.
func TestCancelled(t *testing.T) {
	p := launch(t, host.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err := split(ctx, p, "SLOW")
	var trouble *host.Error
	if !errors.Is(err, context.Canceled) || errors.As(err, &trouble) {
		t.Errorf("Split = %v", err)
	}
}

// TestFrames: content and answer of many frames arrive whole.
func TestFrames(t *testing.T) {
	p := launch(t, host.Options{})
	content := strings.Repeat(strings.Repeat("word ", 20)+"\n\n", 60_000) // about 6 MB
	o, err := split(t.Context(), p, content)
	if err != nil || len(o.Units) != 60_000 {
		t.Errorf("%d units, %v", len(o.Units), err)
	}
	if _, err := split(t.Context(), p, ""); err != nil {
		t.Errorf("empty content: %v", err)
	}
}

// TestSurroundings: the environment is a short list, no descriptor is inherited, the socket folder is private (W35).
func TestSurroundings(t *testing.T) {
	t.Setenv("SECRET_TOKEN", "canary")
	t.Setenv("NOTIFY_SOCKET", "/canary")
	secret, err := os.Create(filepath.Join(t.TempDir(), "canary"))
	if err != nil {
		t.Fatal(err)
	}
	defer secret.Close()
	dir := socketDir(t)
	p := launch(t, host.Options{SocketDir: dir, Env: []string{"EXTRA=1"}})
	allowed := map[string]bool{"PATH": true, "LANG": true, "EXTRA": true, "CLEAVE_PLUGIN": true, "PLUGIN_MIN_PORT": true,
		"PLUGIN_MAX_PORT": true, "PLUGIN_PROTOCOL_VERSIONS": true, "PLUGIN_UNIX_SOCKET_DIR": true, "PWD": true}
	o, err := split(t.Context(), p, "ENVIRON")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range strings.Split(o.Title, "\n") {
		if key, _, _ := strings.Cut(entry, "="); !allowed[key] {
			t.Errorf("the environment has %q", entry)
		}
	}
	o, err = split(t.Context(), p, "FDS")
	if err != nil || strings.Contains(o.Title, "canary") || strings.Contains(o.Title, "/tmp") {
		t.Errorf("descriptors (%v):\n%s", err, o.Title)
	}
	folders, err := filepath.Glob(dir + "/plugin-dir*")
	if err != nil || len(folders) != 1 {
		t.Fatalf("%v %v", folders, err)
	}
	if info, err := os.Stat(folders[0]); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the socket folder has mode %v, %v", info.Mode(), err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(dir + "/*"); len(left) > 0 {
		t.Errorf("Close leaves %v", left)
	}
}

// syncBuffer is a log's destination that a test may read.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// TestFlood: 64 MiB without a line break and 10,000 lines are a bounded number of tagged, escaped records (W32).
func TestFlood(t *testing.T) {
	var log syncBuffer
	p := launch(t, host.Options{Log: slog.New(slog.NewJSONHandler(&log, nil))})
	if _, err := split(t.Context(), p, "FLOOD"); err != nil {
		t.Errorf("Split = %v", err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	records := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(records) < 2 || len(records) > 200 {
		t.Errorf("%d records", len(records))
	}
	lines, dropped := 0, 0
	for _, record := range records {
		var fields struct {
			Level, Msg, Plugin, Line string
			Lines                    int
		}
		if err := json.Unmarshal([]byte(record), &fields); err != nil {
			t.Fatalf("%q: %v", record, err)
		}
		if fields.Level != "INFO" || !strings.HasPrefix(fields.Msg, "plugin output") || fields.Plugin == "" || len(fields.Line) > 2000 {
			t.Errorf("record %.300q", record)
		}
		if strings.ContainsRune(fields.Line, '\x1b') {
			t.Errorf("an escape gets through: %q", fields.Line)
		}
		if dropped += fields.Lines; fields.Lines == 0 {
			lines++
		}
	}
	if lines+dropped != 10_002 { // the long one, ten thousand, the forged one
		t.Errorf("%d lines are in the log, %d are said to be dropped", lines, dropped)
	}
}

// TestGrandchild: a process in a session of its own that holds the pipes holds up nothing, round after round (W29).
func TestGrandchild(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	var before int
	for round := range 10 {
		p := launch(t, host.Options{})
		if _, err := split(t.Context(), p, "FORK "+pidFile); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if err := p.Close(); err != nil || time.Since(start) > 3*time.Second {
			t.Fatalf("Close took %v: %v", time.Since(start), err)
		}
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
		if round == 0 {
			before = openFiles(t)
		}
	}
	if after := openFiles(t); after > before {
		t.Errorf("%d open files after one round, %d after ten", before, after)
	}
}

// TestLeftBehind: what a plugin that ends by itself has started in its process group ends with it.
func TestLeftBehind(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	p := launch(t, host.Options{})
	_, err := split(t.Context(), p, "LEAVE "+pidFile)
	if !errors.Is(err, host.ErrDied) || !strings.Contains(err.Error(), "exit status 4") || !strings.Contains(err.Error(), "a child behind: <nil>") {
		t.Errorf("Split = %v", err)
	}
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	waitGone(t, pid, 2*time.Second)
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// BenchmarkSplit shows what the way to a process and back adds: the test plugin itself only looks for blank lines.
func BenchmarkSplit(b *testing.B) {
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(dir)
	p, err := host.Launch(b.Context(), host.Options{Command: []string{testPlugin}, SocketDir: dir})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	for _, size := range []int{1 << 10, 10 << 10, 1 << 20, 16 << 20} {
		content := strings.Repeat(strings.Repeat("word ", 20)+"\n\n", size/102+1)
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				if _, err := p.Split(b.Context(), sdk.File{Content: []byte(content)}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("launch", func(b *testing.B) {
		for b.Loop() {
			q, err := host.Launch(b.Context(), host.Options{Command: []string{testPlugin}, SocketDir: dir})
			if err != nil {
				b.Fatal(err)
			}
			if err := q.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
