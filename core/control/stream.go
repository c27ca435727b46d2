package control

import (
	"net/http"
	"sync"
)

// line is one line of a long answer; one field is set. The last line is an answer or an error.
type line[A any] struct {
	Progress *Progress `json:"progress,omitempty"`
	Item     *ListItem `json:"item,omitempty"`
	Answer   *A        `json:"answer,omitempty"`
	Error    *Error    `json:"error,omitempty"`
}

// stream writes lines. An error before the first line is answered like any other.
type stream struct {
	w       http.ResponseWriter
	started bool
}

func (s *stream) write(v any) error {
	if !s.started {
		s.w.Header().Set("Content-Type", "application/x-ndjson")
		s.w.WriteHeader(http.StatusOK)
		s.started = true
	}
	return Encode(s.w, v)
}

func (s *stream) flush() error { return http.NewResponseController(s.w).Flush() }

// end writes the last line. A write that fails means that the caller is gone.
func end[A any](s *stream, answer A, err error) {
	switch {
	case err == nil:
		_ = s.write(line[A]{Answer: &answer})
	case s.started:
		_ = s.write(line[A]{Error: asError(err)})
	default:
		e := asError(err)
		reply(s.w, e.status(), errorBody{e})
	}
}

// list streams a listing as it is read, so that its length costs no memory.
func (h *handler) list(w http.ResponseWriter, r *http.Request) {
	var req ListRequest
	if err := parse(r.URL.Query(), &req); err != nil {
		h.fail(w, err)
		return
	}
	s := &stream{w: w}
	answer, err := h.svc.List(r.Context(), callerOf(r), req, func(i ListItem) error {
		return s.write(line[ListAnswer]{Item: &i})
	})
	end(s, answer, err)
}

// scan streams progress where the caller waits.
func (h *handler) scan(w http.ResponseWriter, r *http.Request) {
	var req ScanRequest
	if err := parse(r.URL.Query(), &req); err != nil {
		h.fail(w, err)
		return
	}
	if !req.Wait {
		answer, err := h.svc.Scan(r.Context(), callerOf(r), req, func(Progress) {})
		if err != nil {
			h.fail(w, err)
			return
		}
		reply(w, http.StatusOK, answer)
		return
	}
	s := &stream{w: w}
	var answer ScanAnswer
	var err error
	relay(s, func(progress func(Progress)) { answer, err = h.svc.Scan(r.Context(), callerOf(r), req, progress) })
	end(s, answer, err)
}

// relay runs do and writes its progress. do never waits for the caller: only the newest progress is kept until the
// writer comes round, so that a caller who does not read delays no scan. What do handed progress to may call it for as
// long as it likes, also after relay returned because the caller is gone: it then fills a slot that nobody empties.
func relay(s *stream, do func(func(Progress))) {
	newest := make(chan Progress, 1) // never closed: a scan outlives the request that asked for it
	var mu sync.Mutex                // one producer at a time, so that the slot just emptied is still free
	progress := func(p Progress) {
		mu.Lock()
		defer mu.Unlock()
		select {
		case <-newest:
		default:
		}
		newest <- p
	}
	ended := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() { s.follow(newest, ended) })
	defer writer.Wait()
	defer close(ended) // also when do panics
	do(progress)
}

// follow writes each progress it finds until ended is closed or the caller is gone.
func (s *stream) follow(newest <-chan Progress, ended <-chan struct{}) {
	for {
		select {
		case p := <-newest:
			if s.write(line[ScanAnswer]{Progress: &p}) != nil || s.flush() != nil {
				return
			}
		case <-ended:
			return
		}
	}
}
