// Command cleave asks cleaved: it scans, queries, splits and shows, and is a thin client of core/control.
//
// Standard output carries the answer only: text for people through internal/term, one JSON value with --json, one a
// line with --jsonl. Errors are one line on standard error, "cleave: what was being done: why (what to do)". Exit codes
// are control's: 0 done, 1 failed, 2 wrong usage, 3 nothing found or incomplete, 4 daemon not reachable, 5 not
// permitted, 6 differences or damage found.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.Getenv}
	return a.run(ctx, os.Args[1:])
}
