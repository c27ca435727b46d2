package main

import (
	"fmt"
	"strings"

	"github.com/cleave-project/cleave/cmd/cleave/internal/term"
	"github.com/cleave-project/cleave/core/control"
	"github.com/spf13/cobra"
)

func (a *app) scan() *cobra.Command {
	var r control.ScanRequest
	c := &cobra.Command{
		Use:   "scan [SOURCE...]",
		Short: "Look for changes now, and publish them as a new generation",
		Long: `scan has the daemon read the sources, or all of them, and publish what changed as a new generation of each.
An unchanged source publishes nothing.

With --wait, a scan that could not read everything, or that met a document that could not be split, says so and
ends with exit code 3; what was indexed before stays. A scan that failed is exit code 1.`,
		Example: `  cleave scan
  cleave scan handbook --wait
  cleave scan handbook --wait --accept-root   # the root was replaced on purpose`,
		RunE: func(c *cobra.Command, args []string) error {
			r.Sources = args
			return doing(a.runScan(c, r), "scan") // what goes wrong with a source names it
		},
	}
	c.Flags().BoolVar(&r.Wait, "wait", false, "wait for the generation and print its summary")
	c.Flags().BoolVar(&r.AcceptRoot, "accept-root", false, "take a root that was replaced on purpose")
	return c
}

func (a *app) runScan(c *cobra.Command, r control.ScanRequest) error {
	bar := term.NewBar(a.err)
	answer, err := a.client().Scan(c.Context(), r, func(p control.Progress) { bar.Set(p.Source, p.Done, p.Total) })
	bar.Done()
	if err != nil {
		return err
	}
	if err := a.emit(answer, func(s *term.Screen) { showScan(s, answer) }); err != nil {
		return err
	}
	return shortfall(answer.Sources)
}

// shortfall is the error of the source that came off worst; nil where every scan did all that it should. The table, or
// the JSON, has the others.
func shortfall(sources []control.SourceScan) error {
	for _, met := range []func(control.SourceScan) error{failed, unread, unsplit} {
		for _, s := range sources {
			if err := met(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// failed is a scan that ended with an error for which the tree is not to blame.
func failed(s control.SourceScan) error {
	if s.Error == "" {
		return nil
	}
	return control.Failed("%s: %s", s.Name, advised(bareReason(s.Name, s.Error)))
}

// unread is a scan that could not read the whole tree, or whose root is not the one that is known (C1).
func unread(s control.SourceScan) error {
	if s.Complete {
		return nil
	}
	why := "no reason was given"
	if s.Reason != "" {
		why = bareReason(s.Name, s.Reason)
	}
	return incomplete("%s: not complete: %s", s.Name, advised(why))
}

// unsplit is a scan that met documents which could not be split (C8).
func unsplit(s control.SourceScan) error {
	if s.Failed == 0 {
		return nil
	}
	return incomplete("%s: %s could not be split; what was indexed before stays (cleave status says more)", s.Name, term.Count(s.Failed, "document"))
}

func incomplete(format string, args ...any) error {
	return &control.Error{Code: "incomplete", Exit: control.ExitNothing, Message: fmt.Sprintf(format, args...)}
}

// bareReason is a reason without what was being done to which source, where its line names the source already.
func bareReason(source, reason string) string {
	return strings.TrimPrefix(reason, "scan "+source+": ")
}

// advised is a reason that ends with what to do: its own advice, or where more is said.
func advised(reason string) string {
	if strings.HasSuffix(reason, ")") {
		return reason
	}
	return reason + " (cleave status says more)"
}

func showScan(s *term.Screen, a control.ScanAnswer) {
	if len(a.Queued) > 0 {
		s.Line(term.Text("queued: " + strings.Join(a.Queued, ", ")))
	}
	if len(a.Sources) == 0 {
		return
	}
	t := term.NewTable("SOURCE", ">GENERATION", "", ">ADDED", ">CHANGED", ">MOVED", ">REMOVED", ">METADATA", ">FAILED", ">MS")
	for _, x := range a.Sources {
		what := term.Piece{Text: "unchanged", Style: term.Faint}
		switch {
		case x.Error != "":
			what = term.Piece{Text: "failed", Style: term.Bad}
		case !x.Complete:
			what = term.Piece{Text: "incomplete", Style: term.Odd}
		case x.Published:
			what = term.Piece{Text: "published", Style: term.Good}
		}
		t.Row(term.Piece{Text: x.Name, Style: term.Strong}, term.Int(x.Generation), what, term.Int(x.Added), term.Int(x.Changed),
			term.Int(x.Moved), term.Int(x.Removed), term.Int(x.Metadata), count(x.Failed), term.Int(x.TookMS))
	}
	s.Table(t)
}
