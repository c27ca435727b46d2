package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/cleave-project/cleave/core/control"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"cleave": func() { os.Exit(run()) }})
}

// TestScripts runs testdata/*.txtar against a server of its own each. $CLEAVE_SOCKET lets this user in, $CLOSED nobody.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata",
		UpdateScripts: os.Getenv("UPDATE") != "",
		Setup: func(e *testscript.Env) error {
			open := filepath.Join(e.WorkDir, ".open")
			closed := filepath.Join(e.WorkDir, ".closed")
			e.Setenv("CLEAVE_SOCKET", open)
			e.Setenv("CLOSED", closed)
			everybody := func(control.Caller) bool { return true }
			if err := serve(e, open, control.Options{Admins: everybody, MaxFile: 1000}); err != nil {
				return err
			}
			return serve(e, closed, control.Options{Who: "user:ada"})
		},
	})
}

// serve answers on path until the script ends.
func serve(e *testscript.Env, path string, o control.Options) error {
	ln, err := control.Listen(path, 0o600, "")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- control.Serve(ctx, ln, &fake{}, o) }()
	e.Defer(func() {
		cancel()
		if err := <-done; err != nil {
			e.T().Log(err)
		}
	})
	return nil
}
