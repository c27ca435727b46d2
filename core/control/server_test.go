package control_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cleave-project/cleave/core/control"
	"github.com/google/go-cmp/cmp"
)

func wantError(t *testing.T, err error, code string, exit int) *control.Error {
	t.Helper()
	e, ok := errors.AsType[*control.Error](err)
	if !ok || e.Code != code || e.Exit != exit {
		t.Fatalf("error %#v, want code %s and exit %d", err, code, exit)
	}
	if strings.Contains(e.Message, "\n") {
		t.Errorf("message of several lines: %q", e.Message)
	}
	return e
}

func TestCallerIsTheKernels(t *testing.T) {
	f := &fake{}
	path := serve(t, f, control.Options{Admins: admit})
	a, err := control.Dial(path).Status(t.Context(), control.StatusRequest{})
	if err != nil {
		t.Fatal(err)
	}
	groups, err := os.Getgroups()
	if err != nil {
		t.Fatal(err)
	}
	want := control.Caller{UID: uint32(os.Getuid()), GID: uint32(os.Getgid()), PID: int32(os.Getpid())}
	for _, g := range groups {
		want.Groups = append(want.Groups, uint32(g))
	}
	slices.Sort(want.Groups)
	if d := cmp.Diff(want, f.caller, cmp.Comparer(func(a, b []uint32) bool { return slices.Equal(a, b) })); d != "" {
		t.Error(d)
	}
	if a.Caller.UID != want.UID {
		t.Errorf("answer for uid %d, want %d", a.Caller.UID, want.UID)
	}
}

func TestRequestArrivesAsItWas(t *testing.T) {
	f := &fake{}
	c := control.Dial(serve(t, f, control.Options{Admins: admit}))
	zero := 0
	query := control.QueryRequest{Words: "wind & snow? 100%", K: 3, Sources: []string{"a", "b"}, Path: "x/\xff*", Window: &zero,
		Generation: 0, Budget: 800, Expand: "window", After: "2026-01-31"}
	if _, err := c.Query(t.Context(), query); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(query, f.query); d != "" {
		t.Error(d)
	}
	for _, vocabulary := range [][]byte{nil, []byte("[UNK]\nbin\x00ary")} {
		r := control.SplitRequest{Name: "na\xc3me\n.md", Content: []byte("\x00\xff\r\n# x"), Overlap: &zero, Tokenizer: "wordpiece:v", Vocabulary: vocabulary}
		if _, err := c.Split(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if f.split.Name != r.Name || !bytes.Equal(f.split.Content, r.Content) || !bytes.Equal(f.split.Vocabulary, vocabulary) || f.split.Overlap == nil || f.split.MaxTokens != nil {
			t.Errorf("got %+v", f.split)
		}
	}
	a, err := c.Split(t.Context(), control.SplitRequest{Name: "empty.md"})
	if err != nil || a.Document.Bytes != 0 {
		t.Errorf("an empty file: %+v, %v", a, err)
	}
}

func TestErrorsKeepCodeAndExit(t *testing.T) {
	cases := []*control.Error{control.Usage("no %s", "k"), control.NotFound("no source"), control.NotPermitted("no"),
		control.Failed("disk"), control.Busy("later"), control.NotInForce("--fresh")}
	for _, want := range cases {
		t.Run(want.Code, func(t *testing.T) {
			c := control.Dial(serve(t, &fake{err: fmt.Errorf("while asked: %w", want)}, control.Options{Admins: admit}))
			_, err := c.Generations(t.Context(), control.GenerationsRequest{Source: "s"})
			if got := wantError(t, err, want.Code, want.Exit); *got != *want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
	c := control.Dial(serve(t, &fake{err: io.ErrUnexpectedEOF}, control.Options{Admins: admit}))
	_, err := c.Version(t.Context(), control.VersionRequest{})
	wantError(t, err, "failed", control.ExitFailed)
	_, err = c.Doctor(t.Context(), control.DoctorRequest{}) // the fake panics
	wantError(t, err, "failed", control.ExitFailed)
}

func TestOnlyAdministrators(t *testing.T) {
	path := serve(t, &fake{}, control.Options{Who: "user:ada"})
	c := control.Dial(path)
	_, err := c.Status(t.Context(), control.StatusRequest{})
	if e := wantError(t, err, "not_permitted", control.ExitNotPermitted); !strings.Contains(e.Message, "user:ada") {
		t.Errorf("does not say who may: %s", e.Message)
	}
	_, err = c.List(t.Context(), control.ListRequest{}, func(control.ListItem) error { return nil })
	wantError(t, err, "not_permitted", control.ExitNotPermitted)
	_, err = c.Scan(t.Context(), control.ScanRequest{Wait: true}, func(control.Progress) {})
	wantError(t, err, "not_permitted", control.ExitNotPermitted)
	_, err = c.Split(t.Context(), control.SplitRequest{Content: make([]byte, 1<<20)})
	wantError(t, err, "not_permitted", control.ExitNotPermitted)
}

func get(t *testing.T, path, request string) (int, string) {
	t.Helper()
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", path)
	}}}
	resp, err := c.Get("http://x" + request)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

func TestPlainHTTP(t *testing.T) {
	f := &fake{}
	path := serve(t, f, control.Options{Admins: admit})
	cases := []struct {
		request string
		status  int
		body    string
	}{
		{"/healthz", 200, "ok\n"},
		{"/readyz", 200, "ready\n"},
		{"/v1/generations?source=a%26b", 200, `{"source":"a&b","generations":[]}` + "\n"},
		{"/v1/nothing", 404, `{"error":{"code":"not_found","message":"no such request: GET /v1/nothing","exit":3}}` + "\n"},
		{"/v1/query?q=x&k=-1", 400, `{"error":{"code":"usage","message":"-k -1: not in 1 to 1000","exit":2}}` + "\n"},
		{"/v1/query?q=x&fresh=true", 400, `{"error":{"code":"not_in_force","message":"--fresh is not in force in this version (leave it out)","exit":2}}` + "\n"},
		{"/v1/show?id=x&source=s&path=p", 400, `{"error":{"code":"usage","message":"name a chunk by its id, or a document as SOURCE:PATH","exit":2}}` + "\n"},
		{"/v1/query?k=ten", 400, `{"error":{"code":"usage","message":"k=\"ten\": not a whole number","exit":2}}` + "\n"},
		{"/v1/generations?sauce=x", 400, `{"error":{"code":"usage","message":"unknown parameter \"sauce\" (known: [source])","exit":2}}` + "\n"},
	}
	for _, c := range cases {
		status, body := get(t, path, c.request)
		if status != c.status || body != c.body {
			t.Errorf("%s: %d %q, want %d %q", c.request, status, body, c.status, c.body)
		}
	}
	f.err = errors.New("the index is being built")
	if status, body := get(t, path, "/readyz"); status != 503 || body != "the index is being built\n" {
		t.Errorf("readyz: %d %q", status, body)
	}
}

func TestListStreams(t *testing.T) {
	const documents = 5000
	f := &fake{list: func(emit func(control.ListItem) error) (control.ListAnswer, error) {
		for i := range documents {
			if err := emit(control.ListItem{Document: &control.ListDocument{Path: fmt.Sprint(i)}}); err != nil {
				return control.ListAnswer{}, err
			}
		}
		return control.ListAnswer{Source: "s", Generation: 7}, nil
	}}
	c := control.Dial(serve(t, f, control.Options{Admins: admit}))
	n := 0
	a, err := c.List(t.Context(), control.ListRequest{}, func(i control.ListItem) error {
		if i.Document == nil || i.Document.Path != fmt.Sprint(n) {
			t.Fatalf("item %d: %+v", n, i)
		}
		n++
		return nil
	})
	if err != nil || n != documents || a.Generation != 7 {
		t.Errorf("%d documents, %+v, %v", n, a, err)
	}
	f.list = func(emit func(control.ListItem) error) (control.ListAnswer, error) {
		return control.ListAnswer{}, errors.Join(emit(control.ListItem{LeftOut: &control.LeftOut{Path: "p"}}), control.Failed("damaged"))
	}
	_, err = c.List(t.Context(), control.ListRequest{}, func(control.ListItem) error { return nil })
	wantError(t, err, "failed", control.ExitFailed)
	f.list = func(func(control.ListItem) error) (control.ListAnswer, error) {
		return control.ListAnswer{}, control.NotFound("no source x")
	}
	_, err = c.List(t.Context(), control.ListRequest{}, func(control.ListItem) error { return nil })
	wantError(t, err, "not_found", control.ExitNothing)
}

func TestScanProgress(t *testing.T) {
	seen := make(chan struct{})
	f := &fake{scan: func(p func(control.Progress)) (control.ScanAnswer, error) {
		p(control.Progress{Source: "s", Done: 1, Total: 2})
		<-seen // the line was flushed before the scan ended
		return control.ScanAnswer{Sources: []control.SourceScan{{Name: "s", Generation: 4, Published: true, Complete: true}}}, nil
	}}
	c := control.Dial(serve(t, f, control.Options{Admins: admit}))
	got := 0
	a, err := c.Scan(t.Context(), control.ScanRequest{Wait: true}, func(p control.Progress) {
		if p.Done == 1 {
			got++
			close(seen)
		}
	})
	if err != nil || got != 1 || len(a.Sources) != 1 || a.Sources[0].Generation != 4 {
		t.Errorf("%d lines, %+v, %v", got, a, err)
	}
	if a, err := c.Scan(t.Context(), control.ScanRequest{Sources: []string{"s"}}, nil); err != nil || !slices.Equal(a.Queued, []string{"s"}) {
		t.Errorf("without wait: %+v, %v", a, err)
	}
}

func TestProgressNeverWaits(t *testing.T) {
	sent := make(chan struct{})
	f := &fake{scan: func(p func(control.Progress)) (control.ScanAnswer, error) {
		for i := range 200_000 { // more than any socket buffer holds
			p(control.Progress{Source: "s", Done: i})
		}
		close(sent)
		return control.ScanAnswer{}, nil
	}}
	c, err := net.Dial("unix", serve(t, f, control.Options{Admins: admit}))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "POST /v1/scan?wait=true HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	<-sent // nothing was read
}

// A scan that others asked for too outlives a caller who went away, and goes on telling its progress.
func TestProgressOutlivesTheCaller(t *testing.T) {
	var late func(control.Progress)
	f := &fake{scan: func(p func(control.Progress)) (control.ScanAnswer, error) {
		late = p
		p(control.Progress{Source: "s", Done: 1, Total: 2})
		return control.ScanAnswer{}, nil
	}}
	path := serve(t, f, control.Options{Admins: admit})
	c := control.Dial(path)
	if _, err := c.Scan(t.Context(), control.ScanRequest{Wait: true}, func(control.Progress) {}); err != nil {
		t.Fatal(err)
	}
	for i := range 10 { // neither panics nor waits
		late(control.Progress{Source: "s", Done: i})
	}
	if status, body := get(t, path, "/healthz"); status != 200 {
		t.Errorf("%d %q", status, body)
	}
}
