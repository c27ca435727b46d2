package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// split reads what is to be split from the body: a vocabulary of vocabulary_bytes first, where there is one, then the
// file's bytes.
func (h *handler) split(w http.ResponseWriter, r *http.Request) {
	var req SplitRequest
	if err := parse(r.URL.Query(), &req); err != nil {
		h.fail(w, err)
		return
	}
	size, err := h.bodySize(r, req)
	if err != nil {
		h.fail(w, err)
		return
	}
	if content := size - int64(req.vocabulary); content > h.o.MaxFile {
		reply(w, http.StatusOK, tooLarge(req.Name, content, h.o.MaxFile)) // not a byte of it was read
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
	defer cancel()
	if err := h.bodies.Acquire(ctx, size); err != nil {
		h.fail(w, Busy("too much is being split at once: %v (try again)", err))
		return
	}
	defer h.bodies.Release(size)
	if err := readBody(w, r, &req, size); err != nil {
		h.fail(w, err)
		return
	}
	answer, err := h.svc.Split(ctx, callerOf(r), req)
	if err != nil {
		h.fail(w, err)
		return
	}
	reply(w, http.StatusOK, answer)
}

// bodySize is the body's size, which must be known before it is read, as what is held at once is bounded.
func (h *handler) bodySize(r *http.Request, req SplitRequest) (int64, error) {
	size, vocabulary := r.ContentLength, int64(req.vocabulary)
	switch {
	case size < 0:
		return 0, Usage("split needs a Content-Length")
	case vocabulary > maxVocabulary:
		return 0, Usage("vocabulary of %d bytes: at most %d are taken", vocabulary, int64(maxVocabulary))
	case vocabulary < 0 || vocabulary > size:
		return 0, Usage("vocabulary_bytes=%d: the body has %d", vocabulary, size)
	}
	return size, nil
}

// readBody fills req from the body, within bodyTimeout.
func readBody(w http.ResponseWriter, r *http.Request, req *SplitRequest, size int64) error {
	ctl := http.NewResponseController(w)
	if err := ctl.SetReadDeadline(time.Now().Add(bodyTimeout)); err != nil {
		return fmt.Errorf("read deadline: %w", err)
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(r.Body, body); err != nil {
		return Usage("the body ended early: %v", err)
	}
	// The end of the body is read too: the server then watches the connection, so that ctx ends when the caller goes.
	if n, err := io.ReadFull(r.Body, make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
		return Usage("the body is longer than its Content-Length")
	}
	req.Vocabulary, req.Content = body[:req.vocabulary:req.vocabulary], body[req.vocabulary:]
	return ctl.SetReadDeadline(time.Time{}) // splitting may take longer than sending
}

// tooLarge is the answer for content above the limit.
func tooLarge(name string, size, limit int64) SplitAnswer {
	path, raw := Readable(name)
	return SplitAnswer{
		Document: Document{Path: path, PathB64: raw, Bytes: size},
		Error: &Refusal{Code: "too_large", Message: fmt.Sprintf("%d bytes are more than the limit of %d (raise files.max_size)",
			size, limit)},
	}
}
