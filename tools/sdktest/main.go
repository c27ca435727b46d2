// Command sdktest runs a plugin binary, in whatever language it is written, over a directory of files and prints every
// broken rule of the contract, one a line:
//
//	go run ./tools/sdktest PLUGIN [DIRECTORY]
//
// It exits with status 1 where there is one. Without a directory only hostile content is tried.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cleave-project/cleave/sdk/sdktest"
)

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: sdktest PLUGIN [DIRECTORY]")
		os.Exit(2)
	}
	binary, err := filepath.Abs(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "sdktest:", err)
		os.Exit(2)
	}
	p := &printer{}
	if err := p.run(binary, append(os.Args, "")[2]); err != nil || p.problems > 0 {
		fmt.Fprintf(os.Stderr, "sdktest: %d problems\n", p.problems)
		os.Exit(1)
	}
}

// printer is the T of a program.
type printer struct{ problems int }

var _ sdktest.T = (*printer)(nil)

// errStopped is how Fatalf leaves sdktest.Run.
var errStopped = errors.New("stopped")

func (p *printer) run(binary, dir string) (err error) {
	defer func() {
		if stopped := recover(); stopped != nil {
			if stopped != errStopped {
				panic(stopped)
			}
			err = errStopped
		}
	}()
	sdktest.Run(p, binary, dir)
	return nil
}

func (p *printer) Helper() {}

func (p *printer) Context() context.Context { return context.Background() }

func (p *printer) Errorf(format string, args ...any) {
	p.problems++
	fmt.Printf(format+"\n", args...)
}

func (p *printer) Fatalf(format string, args ...any) {
	p.Errorf(format, args...)
	panic(errStopped)
}
