package sdktest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"
	"testing/fstest"
	"time"

	"github.com/cleave-project/cleave/sdk"
	"github.com/cleave-project/cleave/sdk/host"
)

// T is the part of testing.TB that Run uses, so that this package does not bring package testing into a program.
type T interface {
	Helper()
	Context() context.Context
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Run launches the plugin binary (an absolute path) and reports, as errors of t, every rule that it breaks over the
// files of corpusDir that it claims, and over hostile content. Two processes take turns, so that "equal bytes give
// equal outlines" is tried across processes. An empty corpusDir means hostile content only.
func Run(t T, binary, corpusDir string) {
	t.Helper()
	sockets, err := os.MkdirTemp("", "sdk")
	if err != nil {
		t.Fatalf("sdktest: %v", err)
	}
	defer os.RemoveAll(sockets)
	p, err := launchPair(t.Context(), host.Options{Command: []string{binary}, SocketDir: sockets})
	if err != nil {
		t.Fatalf("sdktest: %v", err)
	}
	defer p.close()
	for problem, err := range Corpus(t.Context(), p, directory(corpusDir)) {
		if err != nil {
			t.Fatalf("sdktest: %s: %v", corpusDir, err)
		}
		t.Errorf("%v", problem)
	}
}

func directory(dir string) fs.FS {
	if dir == "" {
		return fstest.MapFS{}
	}
	return os.DirFS(dir)
}

// fileLimit is the time for one file, as a host gives it.
const fileLimit = 30 * time.Second

// pair is a splitter that asks two processes in turn and starts another where one has died, so that one bad file does
// not hide the others.
type pair struct {
	options host.Options

	mu sync.Mutex
	// The rest is guarded by mu.
	processes [2]*host.Plugin
	turn      int
}

var _ sdk.Splitter = (*pair)(nil)

func launchPair(ctx context.Context, o host.Options) (*pair, error) {
	p := &pair{options: o}
	for i := range p.processes {
		process, err := host.Launch(ctx, o)
		if err != nil {
			p.close()
			return nil, err
		}
		p.processes[i] = process
	}
	return p, nil
}

func (p *pair) Info() sdk.Info {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.processes[0].Info()
}

func (p *pair) Split(ctx context.Context, f sdk.File) (sdk.Outline, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turn = (p.turn + 1) % len(p.processes)
	process := &p.processes[p.turn]
	limited, cancel := context.WithTimeout(ctx, fileLimit)
	defer cancel()
	outline, err := (*process).Split(limited, f)
	var trouble *host.Error
	if !errors.As(err, &trouble) {
		return outline, err
	}
	_ = (*process).Close() // never fails
	again, launchErr := host.Launch(ctx, p.options)
	if launchErr != nil {
		return sdk.Outline{}, errors.Join(err, launchErr)
	}
	*process = again
	return sdk.Outline{}, err
}

func (p *pair) close() {
	for _, process := range p.processes {
		if process != nil {
			_ = process.Close() // never fails
		}
	}
}
