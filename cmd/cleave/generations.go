package main

import (
	"strings"

	"github.com/cleave-project/cleave/cmd/cleave/internal/term"
	"github.com/cleave-project/cleave/core/control"
	"github.com/spf13/cobra"
)

func (a *app) generations() *cobra.Command {
	c := &cobra.Command{
		Use:     "generations SOURCE",
		Short:   "List the kept generations of a source, newest first",
		Example: "  cleave generations handbook",
		Args:    usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return doing(a.runGenerations(c, control.GenerationsRequest{Source: args[0]}), "generations %s", args[0])
		},
	}
	a.listing(c)
	return c
}

func (a *app) runGenerations(c *cobra.Command, r control.GenerationsRequest) error {
	if err := r.Check(); err != nil {
		return err
	}
	answer, err := a.client().Generations(c.Context(), r)
	if err != nil {
		return err
	}
	if !a.jsonl {
		return a.emit(answer, func(s *term.Screen) { showGenerations(s, answer.Generations) })
	}
	for _, g := range answer.Generations {
		if err := control.Encode(a.out, g); err != nil {
			return err
		}
	}
	return nil
}

func showGenerations(s *term.Screen, generations []control.Generation) {
	t := term.NewTable(">NUMBER", "TIME", ">DOCUMENTS", ">CHUNKS", ">ADDED", ">CHANGED", ">MOVED", ">REMOVED", ">METADATA", ">FAILED", "ROOT", "~REASON")
	for _, g := range generations {
		t.Row(term.Piece{Text: term.Int(g.Number).Text, Style: term.Strong}, term.Text(string(g.Time)), term.Int(g.Documents), term.Int(g.Chunks),
			term.Int(g.Added), term.Int(g.Changed), term.Int(g.Moved), term.Int(g.Removed), term.Int(g.Metadata), count(g.Failed),
			term.Text(g.Root[:min(revisionDigits, len(g.Root))]), term.Text(strings.Join(reasons(g), ", ")))
	}
	s.Table(t)
}

// reasons says what asked for a generation and what is special about it.
func reasons(g control.Generation) []string {
	out := []string{g.Reason}
	if !g.Complete {
		out = append(out, "incomplete")
	}
	if g.Held {
		out = append(out, "held")
	}
	return out
}
