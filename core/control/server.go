package control

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// headerTimeout is what a client has to send its request line and headers; a silent one is dropped then. A local
	// client needs a millisecond.
	headerTimeout = 5 * time.Second
	// maxHeader bounds request line and headers. A question of 2,000 words fits many times.
	maxHeader = 64 << 10
	// bodyTimeout is what a client has to send what is to be split: 64 MiB at a speed that any pipe reaches.
	bodyTimeout = 30 * time.Second
	// writeTimeout is what a client has to take each piece of an answer.
	writeTimeout = 30 * time.Second
	// requestTimeout bounds what is answered with one value. Splitting has 30 s for a file by default; a scan that is
	// waited for and a listing have no such end.
	requestTimeout = 2 * time.Minute
	// stopTimeout is what running requests have when the daemon stops. SIGTERM has 10 s in all.
	stopTimeout = 3 * time.Second
	// cutTimeout is what they have to notice that they were cut off.
	cutTimeout = 2 * time.Second
	// maxVocabulary bounds a vocabulary that comes with a file: the largest WordPiece ones have about 5 MB.
	maxVocabulary = 16 << 20
)

// Options are a server's. The zero value logs nowhere, lets nobody in and takes files of up to 64 MiB.
type Options struct {
	Log *slog.Logger
	// Admins tells whether a caller is an administrator. Only administrators are served in this version.
	Admins func(Caller) bool
	// Who names the administrators in the refusal, like "user:root".
	Who string
	// MaxFile is the largest content that split takes, in bytes.
	MaxFile int64
}

func (o Options) orDefaults() Options {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Admins == nil {
		o.Admins = func(Caller) bool { return false }
	}
	if o.Who == "" {
		o.Who = "the daemon's own user"
	}
	if o.MaxFile == 0 {
		o.MaxFile = 64 << 20
	}
	return o
}

// Serve answers requests on ln, a unix socket, until ctx ends; then it closes ln, gives running requests a moment and
// returns nil. It owns every goroutine it starts.
func Serve(ctx context.Context, ln net.Listener, svc Service, o Options) error {
	o = o.orDefaults()
	var running sync.WaitGroup
	srv := &http.Server{
		Handler:           counted(&running, newHandler(svc, o)),
		ReadHeaderTimeout: headerTimeout,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnContext:       withCaller,
		ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug), // clients' mistakes, not ours
	}
	srv.SetKeepAlivesEnabled(false) // E1: credentials are those of the connect, so a connection serves one request
	stopped := make(chan error, 1)
	serving, done := context.WithCancel(ctx)
	go func() { stopped <- stop(serving, srv) }()
	err := srv.Serve(limit(ln))
	done()
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	err = errors.Join(err, <-stopped)
	waitFor(&running, cutTimeout)
	if err != nil {
		return fmt.Errorf("control socket: %w", err)
	}
	return nil
}

// counted counts the requests that run, since closing their connections does not end them.
func counted(running *sync.WaitGroup, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		running.Add(1)
		defer running.Done()
		next.ServeHTTP(w, r)
	})
}

// waitFor waits for requests whose contexts have ended, so that nobody closes what they read under them; one that does
// not see its context is not waited for longer than patience.
func waitFor(running *sync.WaitGroup, patience time.Duration) {
	ended := make(chan struct{})
	go func() {
		running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(patience):
	}
}

// stop waits for ctx and ends srv. Requests see ctx's end themselves; what still runs after stopTimeout is cut off.
func stop(ctx context.Context, srv *http.Server) error {
	<-ctx.Done()
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout) // clean-up outlives ctx
	defer cancel()
	err := srv.Shutdown(patience)
	if errors.Is(err, context.DeadlineExceeded) {
		return srv.Close()
	}
	return err
}

type callerKey struct{}

func withCaller(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, callerKey{}, c.(*conn).caller)
}

func callerOf(r *http.Request) Caller {
	return r.Context().Value(callerKey{}).(Caller)
}
