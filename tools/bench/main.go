// Command bench measures cleave on a folder of the user's own: splitting alone, a cold scan through the real pipeline,
// the rescan that finds nothing changed, and what comes out.
//
//	go run ./tools/bench [-corpus DIR] [-plugins DIR] [-tokenizer NAME] [-tokens N] [-edits N] [-json] [-cpuprofile FILE] [-memprofile FILE]
//
// CPU seconds are those of all processes, plugins included; they are the figure to compare, since wall time depends on
// what else the machine does. MB is 10^6 bytes of documents. The page cache is warm: every file has been read before.
// The profiles are of all that is measured together, and of this process only. It exits with status 1 where a chunk
// or a document breaks a promise (I4, I5, I6).
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/core/object"
)

// options are the command line.
type options struct {
	corpus, plugins        string
	policy                 object.Policy
	edits                  int
	json                   bool
	cpuProfile, memProfile string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, parse()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func parse() options {
	o := options{policy: object.Policy{Strategy: chunk.Structural, Oversize: "split"}}
	flag.StringVar(&o.corpus, "corpus", "", "folder to measure on (default examples/corpus)")
	flag.StringVar(&o.plugins, "plugins", "bin/plugins", "folder of cleave-plugin-NAME")
	flag.StringVar(&o.policy.Tokenizer, "tokenizer", "cl100k_base", "tokenizer of the policy")
	flag.IntVar(&o.policy.MaxTokens, "tokens", 400, "token budget of a chunk")
	flag.IntVar(&o.edits, "edits", 0, "also change one file of a copy of the corpus that many times, and time each publication")
	flag.BoolVar(&o.json, "json", false, "print one JSON value")
	flag.StringVar(&o.cpuProfile, "cpuprofile", "", "write a CPU profile of this process to that file")
	flag.StringVar(&o.memProfile, "memprofile", "", "write a profile of all allocations of this process to that file")
	flag.Parse()
	if o.corpus == "" { // make hands on an empty CORPUS
		o.corpus = filepath.Join("examples", "corpus")
	}
	return o
}

// report is everything that is measured, as -json prints it.
type report struct {
	Machine machine  `json:"machine"`
	Corpus  corpus   `json:"corpus"`
	Policy  policy   `json:"policy"`
	Split   split    `json:"split"`
	Scan    scans    `json:"scan"`
	Edits   *edits   `json:"edits,omitempty"`
	Result  result   `json:"result"`
	Memory  memories `json:"memory"`
}

// policy is what was packed under.
type policy struct {
	Strategy  string `json:"strategy"`
	Tokenizer string `json:"tokenizer"`
	MaxTokens int    `json:"max_tokens"`
}

func run(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "cleave-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) // what is left of it is in the folder for temporary files
	b, err := openBench(ctx, o, dir)
	if err != nil {
		return err
	}
	defer b.close()
	r, err := b.measure(ctx)
	if err != nil {
		return err
	}
	if o.json {
		enc := json.NewEncoder(os.Stdout)
		enc.SetIndent("", "  ")
		err = enc.Encode(r)
	} else {
		err = r.print(os.Stdout)
	}
	if err == nil && !r.Result.kept() {
		err = errors.New("a promise is broken: see the result")
	}
	return err
}
