package control

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"golang.org/x/sys/unix"
)

// dialTimeout is how long a daemon may take to accept. A stopped one with a full queue never does.
const dialTimeout = 5 * time.Second

// Client asks a daemon. Each request has its own connection. Methods may be called from several goroutines; their
// errors are *Error.
type Client struct {
	path string
	http *http.Client
}

// Dial gives a client of the daemon at the socket path. Nothing is sent yet.
func Dial(path string) *Client {
	t := &http.Transport{
		DisableKeepAlives:     true,
		DisableCompression:    true,
		ExpectContinueTimeout: dialTimeout, // a body that is too large is refused before it is sent
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			return dial(path, dialTimeout)
		},
	}
	return &Client{path: path, http: &http.Client{Transport: t}}
}

// Status asks for status.
func (c *Client) Status(ctx context.Context, r StatusRequest) (StatusAnswer, error) {
	return ask[StatusAnswer](ctx, c, http.MethodGet, "status", &r, nil)
}

// Query asks a question.
func (c *Client) Query(ctx context.Context, r QueryRequest) (QueryAnswer, error) {
	return ask[QueryAnswer](ctx, c, http.MethodGet, "query", &r, nil)
}

// Show asks for a chunk or a document.
func (c *Client) Show(ctx context.Context, r ShowRequest) (ShowAnswer, error) {
	return ask[ShowAnswer](ctx, c, http.MethodGet, "show", &r, nil)
}

// Generations asks for a source's generations.
func (c *Client) Generations(ctx context.Context, r GenerationsRequest) (GenerationsAnswer, error) {
	return ask[GenerationsAnswer](ctx, c, http.MethodGet, "generations", &r, nil)
}

// Doctor asks for the daemon's checks.
func (c *Client) Doctor(ctx context.Context, r DoctorRequest) (DoctorAnswer, error) {
	return ask[DoctorAnswer](ctx, c, http.MethodGet, "doctor", &r, nil)
}

// Version asks what the daemon was built from.
func (c *Client) Version(ctx context.Context, r VersionRequest) (VersionAnswer, error) {
	return ask[VersionAnswer](ctx, c, http.MethodGet, "version", &r, nil)
}

// Split sends r.Content and gets the chunks it would give.
func (c *Client) Split(ctx context.Context, r SplitRequest) (SplitAnswer, error) {
	return c.SplitFrom(ctx, r, bytes.NewReader(r.Content), int64(len(r.Content)))
}

// SplitFrom is Split of the size bytes that content gives, instead of r.Content. What is above the daemon's limit is
// not read.
func (c *Client) SplitFrom(ctx context.Context, r SplitRequest, content io.Reader, size int64) (SplitAnswer, error) {
	r.vocabulary = len(r.Vocabulary)
	both := io.MultiReader(bytes.NewReader(r.Vocabulary), io.LimitReader(content, size))
	return ask[SplitAnswer](ctx, c, http.MethodPost, "split", &r, &body{both, size + int64(r.vocabulary)})
}

// Scan asks for a scan. progress is called on this goroutine while it waits.
func (c *Client) Scan(ctx context.Context, r ScanRequest, progress func(Progress)) (ScanAnswer, error) {
	if !r.Wait {
		return ask[ScanAnswer](ctx, c, http.MethodPost, "scan", &r, nil)
	}
	return follow(ctx, c, http.MethodPost, "scan", &r, func(l line[ScanAnswer]) error {
		if l.Progress != nil {
			progress(*l.Progress)
		}
		return nil
	})
}

// List asks for a listing and calls item for each item, on this goroutine, until item returns an error.
func (c *Client) List(ctx context.Context, r ListRequest, item func(ListItem) error) (ListAnswer, error) {
	return follow(ctx, c, http.MethodGet, "ls", &r, func(l line[ListAnswer]) error {
		if l.Item == nil {
			return nil
		}
		return item(*l.Item)
	})
}

// body is what a request carries.
type body struct {
	io.Reader
	size int64
}

// send sends one request. Any status but 200 is the error in its body.
func (c *Client) send(ctx context.Context, method, name string, r fielder, b *body) (io.ReadCloser, error) {
	url := "http://cleave/v1/" + name + "?" + values(r).Encode()
	req, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return nil, Failed("%v", err)
	}
	if b != nil && b.size > 0 {
		req.Body, req.ContentLength = io.NopCloser(b), b.size
		req.Header.Set("Content-Type", "application/octet-stream")
		req.Header.Set("Expect", "100-continue")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.unanswered(ctx, err)
	}
	if resp.StatusCode == http.StatusOK {
		return resp.Body, nil
	}
	defer resp.Body.Close()
	var e errorBody
	if err := json.NewDecoder(resp.Body).Decode(&e); err != nil || e.Error == nil {
		return nil, Failed("%s answered %s, which is not cleaved's way (see what listens there)", c.path, resp.Status)
	}
	return nil, e.Error
}

// unanswered says why there was no answer and what to do.
func (c *Client) unanswered(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return Failed("interrupted")
	}
	op, dialing := errors.AsType[*net.OpError](err)
	switch {
	case errors.Is(err, unix.ENOENT):
		return Unreachable("daemon not reachable: nothing at %s (start cleaved, or give --socket)", c.path)
	case errors.Is(err, unix.ECONNREFUSED):
		return Unreachable("daemon not reachable: nobody answers on %s (start cleaved)", c.path)
	case errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM):
		return &Error{Code: "not_permitted", Exit: ExitNotPermitted,
			Message: fmt.Sprintf("%s may not be opened (socket_mode and socket_group in the daemon's configuration say by whom)", c.path)}
	case dialing && op.Op == "dial":
		return Unreachable("daemon not reachable: %s: %v (look at cleaved's log)", c.path, op.Err)
	}
	return Unreachable("daemon went away: %v (look at cleaved's log)", err)
}

// ask gets an answer of one value.
func ask[A any](ctx context.Context, c *Client, method, name string, r fielder, b *body) (A, error) {
	var answer A
	resp, err := c.send(ctx, method, name, r, b)
	if err != nil {
		return answer, err
	}
	defer resp.Close()
	if err := json.NewDecoder(resp).Decode(&answer); err != nil {
		return answer, c.unanswered(ctx, err)
	}
	return answer, nil
}

// follow gets an answer of lines and calls each for those before the last.
func follow[A any](ctx context.Context, c *Client, method, name string, r fielder, each func(line[A]) error) (A, error) {
	var none A
	resp, err := c.send(ctx, method, name, r, nil)
	if err != nil {
		return none, err
	}
	defer resp.Close()
	lines := json.NewDecoder(bufio.NewReader(resp))
	for {
		var l line[A]
		if err := lines.Decode(&l); err != nil {
			return none, c.unanswered(ctx, err)
		}
		switch {
		case l.Error != nil:
			return none, l.Error
		case l.Answer != nil:
			return *l.Answer, nil
		}
		if err := each(l); err != nil {
			return none, err
		}
	}
}
