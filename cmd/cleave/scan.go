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
An unchanged source publishes nothing. A scan that could not read everything says so and ends with exit code 3;
what it could not read stays as it was.`,
		Example: `  cleave scan
  cleave scan handbook --wait
  cleave scan handbook --wait --accept-root   # the root was replaced on purpose`,
		RunE: func(c *cobra.Command, args []string) error {
			r.Sources = args
			return doing(a.runScan(c, r), "%s", strings.Join(append([]string{"scan"}, args...), " "))
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
	for _, source := range answer.Sources {
		if why := shortfall(source); why != "" {
			return &control.Error{Code: "incomplete", Exit: control.ExitNothing, Message: why + " (cleave status says more)"}
		}
	}
	return nil
}

// shortfall is what a scan could not do: read a part of the tree, or split a document (C1, C8).
func shortfall(s control.SourceScan) string {
	switch {
	case !s.Complete:
		return s.Name + " could not be read completely: " + orUnknown(s.Reason)
	case s.Failed == 1:
		return s.Name + ": 1 document could not be split; its last good version stays"
	case s.Failed > 1:
		return fmt.Sprintf("%s: %d documents could not be split; their last good versions stay", s.Name, s.Failed)
	}
	return ""
}

func orUnknown(reason string) string {
	if reason == "" {
		return "no reason was given"
	}
	return reason
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
		case !x.Complete:
			what = term.Piece{Text: "incomplete", Style: term.Odd}
		case x.Published:
			what = term.Piece{Text: "published", Style: term.Good}
		}
		failed := term.Int(x.Failed)
		if x.Failed > 0 {
			failed.Style = term.Odd
		}
		t.Row(term.Piece{Text: x.Name, Style: term.Strong}, term.Int(x.Generation), what, term.Int(x.Added), term.Int(x.Changed),
			term.Int(x.Moved), term.Int(x.Removed), term.Int(x.Metadata), failed, term.Int(x.TookMS))
	}
	s.Table(t)
}
