package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cleave-project/cleave/core/control"
)

// TestExitCodes holds the numbers that scripts depend on, which testscript does not tell apart.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	socket := map[string]string{}
	for name, admins := range map[string]func(control.Caller) bool{"open": func(control.Caller) bool { return true }, "closed": nil} {
		socket[name] = filepath.Join(dir, name)
		ln, err := control.Listen(socket[name], 0o600, "")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- control.Serve(ctx, ln, &fake{}, control.Options{Admins: admins}) }()
		defer func() { cancel(); <-done }()
	}
	cases := []struct {
		socket, args, in string
		want             int
	}{
		{"open", "status", "", 0},
		{"open", "split - --name a.md", "# a", 0},
		{"open", "split - --name a.md", "a\x00b", 1},
		{"open", "split - --name a.md --overlap -1", "# a", 2},
		{"open", "split " + filepath.Join(dir, "missing"), "", 1},
		{"open", "split - --name a.md --tokenizer wordpiece:/missing", "# a", 2},
		{"open", "query", "", 2},
		{"open", "query --fresh x", "", 2},
		{"open", "nonsense", "", 2},
		{"open", "help nonsense", "", 2},
		{"open", "completion nonsense", "", 2},
		{"open", "completion", "", 2},
		{"open", "completion bash", "", 0},
		{"open", "status --bogus", "", 2},
		{"open", "query nothing", "", 3},
		{"open", "show nosuchid", "", 3},
		{"open", "show handbook:failed.md", "", 1},
		{"open", "show handbook:stale.md", "", 0},
		{"open", "scan gone --wait", "", 3},
		{"open", "scan unsplit --wait", "", 3},
		{"open", "scan gone broken --wait", "", 1},
		{"missing", "status", "", 4},
		{"missing", "doctor", "", 4},
		{"closed", "status", "", 5},
		{"closed", "ls", "", 5},
		{"closed", "scan --wait", "", 5},
		{"closed", "split - --name a.md", "# a", 5},
		{"closed", "doctor", "", 5},
		{"open", "doctor", "", 6},
		{"missing", "version", "", 0},
	}
	socket["missing"] = filepath.Join(dir, "missing")
	for _, c := range cases {
		t.Run(c.socket+" "+c.args, func(t *testing.T) {
			var out, errs bytes.Buffer
			a := &app{in: strings.NewReader(c.in), out: &out, err: &errs, env: func(string) string { return "" }}
			if got := a.run(t.Context(), append([]string{"--socket", socket[c.socket]}, strings.Fields(c.args)...)); got != c.want {
				t.Errorf("exit %d, want %d; standard error: %s", got, c.want, errs.String())
			}
			if n := strings.Count(errs.String(), "\n"); n > 1 {
				t.Errorf("%d lines on standard error: %s", n, errs.String())
			}
		})
	}
}
