package control

import (
	"bytes"
	"context"
	"net/http"
	"runtime/debug"
	"time"

	"golang.org/x/sync/semaphore"
)

// handler routes requests to the service.
type handler struct {
	svc Service
	o   Options
	// bodies bounds the bytes of requests that are held at once, to two of the largest (I13).
	bodies *semaphore.Weighted
}

func newHandler(svc Service, o Options) http.Handler {
	h := &handler{svc: svc, o: o, bodies: semaphore.NewWeighted(2 * (o.MaxFile + maxVocabulary))}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /readyz", h.ready)
	mux.HandleFunc("GET /v1/status", one(h, svc.Status))
	mux.HandleFunc("GET /v1/query", one(h, svc.Query))
	mux.HandleFunc("GET /v1/show", one(h, svc.Show))
	mux.HandleFunc("GET /v1/generations", one(h, svc.Generations))
	mux.HandleFunc("GET /v1/doctor", one(h, svc.Doctor))
	mux.HandleFunc("GET /v1/version", one(h, svc.Version))
	mux.HandleFunc("GET /v1/ls", h.admins(h.list))
	mux.HandleFunc("POST /v1/scan", h.admins(h.scan))
	mux.HandleFunc("POST /v1/split", h.admins(h.split))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		e := NotFound("no such request: %s %s", r.Method, r.URL.Path)
		reply(w, e.status(), errorBody{e})
	})
	return h.guard(mux)
}

func (h *handler) ready(w http.ResponseWriter, _ *http.Request) {
	if err := h.svc.Ready(); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ready\n"))
}

// guard gives each request its first write deadline and turns a panic into an answer and a log record, so that a
// broken request costs itself only.
func (h *handler) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w = &patient{ResponseWriter: w, ctl: http.NewResponseController(w)}
		defer func() {
			if p := recover(); p != nil {
				h.o.Log.Error("bug: request panicked", "request", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
				e := Failed("the daemon met a bug in %s (its log has the details)", r.URL.Path)
				reply(w, e.status(), errorBody{e})
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// admins lets administrators through (E4). Others get one line that says who may.
func (h *handler) admins(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := callerOf(r)
		if !h.o.Admins(c) {
			h.fail(w, NotPermitted("uid %d is not an administrator, and only administrators are served in this version: %s (admins in the daemon's configuration)",
				c.UID, h.o.Who))
			return
		}
		next(w, r)
	}
}

// one answers a request that has no body with one JSON value.
func one[R any, A any, P interface {
	*R
	fielder
}](h *handler, do func(context.Context, Caller, R) (A, error)) http.HandlerFunc {
	return h.admins(func(w http.ResponseWriter, r *http.Request) {
		var req R
		if err := parse(r.URL.Query(), P(&req)); err != nil {
			h.fail(w, err)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
		defer cancel()
		answer, err := do(ctx, callerOf(r), req)
		if err != nil {
			h.fail(w, err)
			return
		}
		reply(w, http.StatusOK, answer)
	})
}

type errorBody struct {
	Error *Error `json:"error"`
}

func (h *handler) fail(w http.ResponseWriter, err error) {
	e := asError(err)
	reply(w, e.status(), errorBody{e})
}

// reply writes one JSON value. A write that fails means that the caller is gone: nobody is left to tell.
func reply(w http.ResponseWriter, status int, v any) {
	var body bytes.Buffer
	if err := Encode(&body, v); err != nil {
		status = http.StatusInternalServerError
		_ = Encode(&body, errorBody{Failed("bug: answer of type %T: %v", v, err)}) // three plain fields
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes())
}

// patient gives a client writeTimeout for each piece of an answer, so that a long answer may take long and one that
// nobody reads ends.
type patient struct {
	http.ResponseWriter
	ctl *http.ResponseController
}

// Unwrap is for http.ResponseController.
func (p *patient) Unwrap() http.ResponseWriter { return p.ResponseWriter }

func (p *patient) Write(b []byte) (int, error) {
	const piece = 64 << 10
	for written := 0; ; {
		if err := p.ctl.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
			return written, err
		}
		n, err := p.ResponseWriter.Write(b[written:min(written+piece, len(b))])
		written += n
		if err != nil || written == len(b) {
			return written, err
		}
	}
}
