package host_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/cleave-project/cleave/sdk"
	"github.com/cleave-project/cleave/sdk/host"
	"github.com/cleave-project/cleave/sdk/internal/wire"
)

// testPlugin is the binary of testdata/testplugin, built once.
var testPlugin string

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == hostMode {
		os.Exit(runHost(os.Args[2:]))
	}
	if os.Getenv(wire.CookieKey) == wire.CookieValue {
		os.Exit(runPlain())
	}
	dir, err := os.MkdirTemp("", "host")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	testPlugin = filepath.Join(dir, "cleave-plugin-test")
	build := exec.Command("go", "build", "-o", testPlugin, "./testdata/testplugin")
	build.Stderr = os.Stderr
	code := 1
	if err := build.Run(); err == nil {
		code = m.Run()
	}
	_ = os.RemoveAll(dir)
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// socketDir is short: a test's own directory would be longer than MaxSocketDir.
func socketDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func launch(t *testing.T, o host.Options) *host.Plugin {
	t.Helper()
	if o.Command == nil {
		o.Command = []string{testPlugin}
	}
	if o.SocketDir == "" {
		o.SocketDir = socketDir(t)
	}
	p, err := host.Launch(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func split(ctx context.Context, p *host.Plugin, content string) (sdk.Outline, error) {
	return p.Split(ctx, sdk.File{Content: []byte(content), MediaType: "text/plain"})
}

func TestHonest(t *testing.T) {
	p := launch(t, host.Options{})
	if got := p.Info(); got.Name != "test" || got.Version != "1" || got.Input != sdk.InputText {
		t.Errorf("Info = %+v", got)
	}
	got, err := split(t.Context(), p, "one\ntwo\n\nthree\n")
	want := sdk.Outline{Units: []sdk.Unit{
		{Kind: sdk.KindParagraph, Cut: sdk.CutSentences, Span: sdk.Span{Start: 0, End: 8}},
		{Kind: sdk.KindParagraph, Cut: sdk.CutSentences, Span: sdk.Span{Start: 9, End: 15}},
	}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("Split: %v (-want +got)\n%s", err, diff)
	}
	start := time.Now()
	if err := p.Close(); err != nil || time.Since(start) > 2*time.Second {
		t.Errorf("Close took %v, %v", time.Since(start), err)
	}
	if _, err := split(t.Context(), p, "x"); !errors.Is(err, host.ErrDied) {
		t.Errorf("Split after Close = %v, want ErrDied", err)
	}
}
