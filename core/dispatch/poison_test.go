package dispatch_test

import (
	"errors"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cleave-project/cleave/core/dispatch"
	"github.com/cleave-project/cleave/sdk"
)

// TestPoisonBeforeGood: bad files in a row cost each itself and a process start, later ones after a pause, and none of
// the good files behind them (C8, W30).
func TestPoisonBeforeGood(t *testing.T) {
	const poison, good = 20, 200
	d := open(t, 1, named(t, "test", "*.test"))
	start := time.Now()
	for i := range poison {
		if _, err := split(t.Context(), d, "CRASH"); code(err) != sdk.CodePluginCrashed || errors.Is(err, dispatch.ErrDown) {
			t.Errorf("bad file %d: %v", i, err)
		}
	}
	if took := time.Since(start); took < 2*time.Second {
		t.Errorf("%d starts took %v: there are hardly pauses between them", poison, took)
	}
	for i := range good {
		if _, err := split(t.Context(), d, "good"); err != nil {
			t.Errorf("good file %d: %v", i, err)
		}
	}
	if status := d.Status()[0]; status.Crashes != poison || status.Calls != poison+good || status.Processes != 1 || status.Error != "" {
		t.Errorf("Status = %+v", status)
	}
}

// TestCrashLoop: a plugin that dies on every file is started a bounded number of times, then its files are put off at
// once and without blame (W30).
func TestCrashLoop(t *testing.T) {
	const workers, each, most = 4, 50, 64 + 4
	d := open(t, workers, named(t, "test", "*.test"))
	var group sync.WaitGroup
	var mu sync.Mutex
	var down, crashed int
	for range workers {
		group.Go(func() {
			for range each {
				_, err := split(t.Context(), d, "CRASH")
				mu.Lock()
				switch {
				case errors.Is(err, dispatch.ErrDown) && code(err) == sdk.CodePluginRefused && strings.Contains(err.Error(), "not asked"):
					down++
				case code(err) == sdk.CodePluginCrashed && !errors.Is(err, dispatch.ErrDown):
					crashed++
				default:
					t.Errorf("Split = %v", err)
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	if crashed > most || down < workers*each-most {
		t.Errorf("%d files crashed, %d were put off", crashed, down)
	}
	if status := d.Status()[0]; status.Crashes > most || !strings.Contains(status.Error, "rests") || status.Processes != 0 {
		t.Errorf("Status = %+v", status)
	}
}

// TestKilledInACall: a process that has served and is killed in the middle of a call costs no file.
func TestKilledInACall(t *testing.T) {
	d := open(t, 1, named(t, "test", "*.test"))
	if _, err := split(t.Context(), d, "good"); err != nil {
		t.Fatal(err)
	}
	pids := children(t)
	if len(pids) != 1 {
		t.Fatalf("processes %v, want one", pids)
	}
	if err := syscall.Kill(pids[0], syscall.SIGSTOP); err != nil { // so that the call is in flight for as long as we like
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := split(t.Context(), d, "good")
		done <- err
	}()
	eventually(t, func() bool { return d.Status()[0].Calls == 2 })
	if err := syscall.Kill(pids[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if status := d.Status()[0]; status.Calls != 3 || status.Crashes != 1 || status.Error != "" {
		t.Errorf("Status = %+v", status)
	}
}
