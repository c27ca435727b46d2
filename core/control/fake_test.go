package control_test

import (
	"context"
	"net"
	"path/filepath"
	"sync"
	"testing"

	"github.com/cleave-project/cleave/core/control"
)

// fake is a service that answers with what it was asked, as the daemon's own is not ours to import.
type fake struct {
	mu     sync.Mutex
	caller control.Caller
	query  control.QueryRequest
	split  control.SplitRequest
	scan   func(func(control.Progress)) (control.ScanAnswer, error)
	list   func(func(control.ListItem) error) (control.ListAnswer, error)
	err    error
}

func (f *fake) note(c control.Caller) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.caller = c
}

func (f *fake) Status(_ context.Context, c control.Caller, _ control.StatusRequest) (control.StatusAnswer, error) {
	f.note(c)
	return control.StatusAnswer{Version: "1", Caller: control.CallerStatus{UID: c.UID, GID: c.GID, Groups: c.Groups, Admin: true}}, f.err
}

func (f *fake) Scan(_ context.Context, c control.Caller, r control.ScanRequest, p func(control.Progress)) (control.ScanAnswer, error) {
	f.note(c)
	if !r.Wait {
		return control.ScanAnswer{Queued: r.Sources}, f.err
	}
	return f.scan(p)
}

func (f *fake) Query(_ context.Context, _ control.Caller, r control.QueryRequest) (control.QueryAnswer, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.query = r
	return control.QueryAnswer{}, f.err
}

func (f *fake) Split(_ context.Context, _ control.Caller, r control.SplitRequest) (control.SplitAnswer, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.split = r
	return control.SplitAnswer{Document: control.Document{Path: r.Name, Bytes: int64(len(r.Content))}}, f.err
}

func (f *fake) List(_ context.Context, _ control.Caller, _ control.ListRequest, emit func(control.ListItem) error) (control.ListAnswer, error) {
	return f.list(emit)
}

func (f *fake) Show(context.Context, control.Caller, control.ShowRequest) (control.ShowAnswer, error) {
	return control.ShowAnswer{}, f.err
}

func (f *fake) Generations(_ context.Context, _ control.Caller, r control.GenerationsRequest) (control.GenerationsAnswer, error) {
	return control.GenerationsAnswer{Source: r.Source}, f.err
}

func (f *fake) Doctor(context.Context, control.Caller, control.DoctorRequest) (control.DoctorAnswer, error) {
	panic("broken on purpose")
}

func (f *fake) Version(context.Context, control.Caller, control.VersionRequest) (control.VersionAnswer, error) {
	return control.BuildVersion(), f.err
}

func (f *fake) Ready() error { return f.err }

var _ control.Service = (*fake)(nil)

// admit lets everybody in.
func admit(control.Caller) bool { return true }

// serve serves f until the test ends and gives the socket.
func serve(t *testing.T, f *fake, o control.Options) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cleave.sock")
	ln, err := control.Listen(path, 0o666, "")
	if err != nil {
		t.Fatal(err)
	}
	start(t, ln, f, o)
	return path
}

func start(t *testing.T, ln net.Listener, f *fake, o control.Options) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- control.Serve(ctx, ln, f, o) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
}
