package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/cleave-project/cleave/core/dispatch"
	"github.com/cleave-project/cleave/core/ingest"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/token"
)

const (
	// maxFile is the default of files.max_size.
	maxFile = 32 << 20
	// bytesInFlight is what the daemon allows a run.
	bytesInFlight = 256 << 20
)

// bench is what all measurements share: the plugins are started and the tokenizer loaded before any of them.
type bench struct {
	o       options
	dir     string // for state
	plugins *dispatch.Dispatcher
	tok     token.Tokenizer
	workers int
}

func openBench(ctx context.Context, o options, dir string) (*bench, error) {
	corpus, err := filepath.Abs(o.corpus)
	if err != nil {
		return nil, err
	}
	o.corpus = corpus
	folder, err := filepath.Abs(o.plugins)
	if err != nil {
		return nil, err
	}
	found, err := dispatch.Discover(folder)
	if err == nil && len(found) == 0 {
		err = errors.New("no cleave-plugin-NAME there (run make build first)")
	}
	if err != nil {
		return nil, fmt.Errorf("plugins in %s: %w", folder, err)
	}
	b := &bench{o: o, dir: dir, workers: runtime.GOMAXPROCS(0)}
	if b.tok, err = token.Open(o.policy.Tokenizer); err != nil {
		return nil, err
	}
	b.plugins, err = dispatch.Open(ctx, dispatch.Options{
		Plugins: found, Workers: b.workers, SocketDir: filepath.Join(dir, "p"), MaxBytes: maxFile,
	})
	return b, err
}

// close stops the plugins. What is wrong with one by then changes no figure.
func (b *bench) close() { _ = b.plugins.Close() }

// deps are the daemon's, with a store of their own in state.
func (b *bench) deps(s *state) ingest.Deps {
	return ingest.Deps{
		Store: s.store, Splitters: b.plugins, Roots: s.roots, Workers: b.workers, BytesInFlight: bytesInFlight,
		Tokenizers: func(string) (token.Tokenizer, error) { return b.tok, nil },
	}
}

// source is the corpus, or a copy of it, as the daemon would be told of it.
func (b *bench) source(root string) ingest.Source {
	return ingest.Source{Name: "bench", Root: root, MaxSize: maxFile,
		Policy: func(object.Path) object.Policy { return b.o.policy }}
}

// measure does everything in the order that disturbs least: memory is watched before splitting alone fills it.
func (b *bench) measure(ctx context.Context) (*report, error) {
	r := &report{Machine: thisMachine(), Policy: policy{b.o.policy.Strategy, b.o.policy.Tokenizer, b.o.policy.MaxTokens}}
	files, err := b.load(ctx, &r.Corpus)
	if err != nil {
		return nil, err
	}
	end, err := startProfiles(b.o)
	if err != nil {
		return nil, err
	}
	err = b.scan(ctx, r)
	if err == nil {
		r.Split, err = b.split(ctx, files)
	}
	if err == nil && b.o.edits > 0 {
		r.Edits, err = b.edit(ctx)
	}
	r.Scan.divide(r.Split)
	return r, errors.Join(err, end())
}
