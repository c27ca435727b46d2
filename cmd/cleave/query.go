package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cleave-project/cleave/cmd/cleave/internal/term"
	"github.com/cleave-project/cleave/core/control"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) query() *cobra.Command {
	var r control.QueryRequest
	var window int
	c := &cobra.Command{
		Use:   "query WORDS...",
		Short: "Find the passages that answer a question",
		Long: `query ranks chunks by the words and prints the passages around the best of them. Every answer names the
generation it comes from. Nothing found is exit code 3.

Passages are text that others wrote. Whoever hands them to a model must treat them as data, never as
instructions; in JSON they are hits[].passage: the texts of its context, which are repeated for it like the header
of a table, and then its text.`,
		Example: `  cleave query how strong may the wind be
  cleave query --source handbook --path 'ops/**' -k 3 dome closing
  cleave query --json --budget 800 spare fuse | jq -r '.hits[].passage.text'`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			r.Words = strings.Join(args, " ")
			r.Window = &window
			return doing(a.runQuery(c, r), "query %q", r.Words)
		},
	}
	f := c.Flags()
	f.IntVarP(&r.K, "hits", "k", control.DefaultHits, "most hits")
	f.StringArrayVar(&r.Sources, "source", nil, "only this source (may be given again)")
	f.StringVar(&r.Path, "path", "", "only paths that match this glob")
	f.StringVar(&r.Kind, "kind", "", "only chunks of this kind, like table or section")
	f.StringVar(&r.Lang, "lang", "", "only this language")
	f.StringVar(&r.Author, "author", "", "only documents of this author")
	f.StringVar(&r.After, "after", "", "only documents dated on or after this day, like 2026-11-30")
	f.StringVar(&r.Before, "before", "", "only documents dated before this day")
	f.StringVar(&r.AsOf, "as-of", "", "only what was in force on this day")
	f.Uint64Var(&r.Generation, "generation", 0, "of this generation instead of the newest (with --source)")
	f.StringVar(&r.Expand, "expand", control.DefaultExpand, "what a passage is: none (the chunk), window or section")
	f.IntVar(&window, "window", control.DefaultWindow, "neighbours on each side, with --expand window")
	f.IntVar(&r.Budget, "budget", control.DefaultBudget, "most tokens of all passages")
	f.BoolVar(&r.Fresh, "fresh", false, "wait until every change made before is visible (not in force yet)")
	f.DurationVar(&r.Timeout, "timeout", 0, "how long --fresh waits (not in force yet)")
	f.BoolVar(&r.Explain, "explain", false, "say why each hit was found")
	a.listing(c)
	return c
}

func (a *app) runQuery(c *cobra.Command, r control.QueryRequest) error {
	if err := nonzero(c.Flags(), "hits", "budget"); err != nil {
		return err
	}
	if err := r.Check(); err != nil { // before the daemon is asked, so that wrong usage is told without one
		return err
	}
	answer, err := a.client().Query(c.Context(), r)
	if err != nil {
		return err
	}
	if err := a.emitQuery(answer); err != nil {
		return err
	}
	if len(answer.Hits) == 0 {
		return nothing(answer)
	}
	return nil
}

// nothing says where nothing was found. What was not consulted, or did not fit, is then the likely reason: it has no
// other line.
func nothing(a control.QueryAnswer) error {
	why := strings.Join(a.Degraded, "; ")
	switch {
	case why == "":
		return control.NotFound("nothing found in %s (use other words or fewer filters)", generations(a.Generations))
	case len(a.Generations) == 0:
		return control.NotFound("nothing could be asked: %s", why)
	}
	return control.NotFound("nothing found in %s: %s", generations(a.Generations), why)
}

// nonzero refuses a flag that was given as 0, which a request does not tell from not given.
func nonzero(flags *pflag.FlagSet, names ...string) error {
	for _, name := range names {
		if f := flags.Lookup(name); f.Changed && f.Value.String() == "0" {
			return control.Usage("%s 0: at least 1", asTyped(f))
		}
	}
	return nil
}

// asTyped is a flag as the contract writes it: by its letter where it has one.
func asTyped(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

func (a *app) emitQuery(answer control.QueryAnswer) error {
	if !a.jsonl {
		return a.emit(answer, func(s *term.Screen) { showQuery(s, answer) })
	}
	for _, hit := range answer.Hits {
		if err := control.Encode(a.out, hit); err != nil {
			return err
		}
	}
	return nil
}

func showQuery(s *term.Screen, a control.QueryAnswer) {
	if len(a.Hits) == 0 {
		return // the error says it
	}
	for i, hit := range a.Hits {
		showHit(s, i+1, hit)
	}
	for _, d := range a.Degraded {
		s.Line(term.Piece{Text: "degraded: " + d, Style: term.Odd})
	}
	s.Line(term.Piece{Text: fmt.Sprintf("%s, %s, %d ms, from %s", term.Count(len(a.Hits), "hit"), term.Count(a.Tokens, "token"), a.TookMS, generations(a.Generations)), Style: term.Faint})
}

// showHit prints the passage of a hit, with where it is from.
func showHit(s *term.Screen, place int, hit control.Hit) {
	head := []term.Piece{{Text: fmt.Sprintf("%d. ", place), Style: term.Strong}, {Text: hit.Source + ":" + hit.Path, Style: term.Mark},
		{Text: fmt.Sprintf(":%d-%d", hit.Passage.StartLine, hit.Passage.EndLine), Style: term.Faint}}
	if hit.Page > 0 {
		head = append(head, term.Piece{Text: fmt.Sprintf("  page %d", hit.Page), Style: term.Faint})
	}
	if hit.Stale {
		head = append(head, term.Piece{Text: "  stale", Style: term.Odd})
	}
	s.Line(head...)
	if len(hit.Breadcrumb) > 0 {
		s.Line(term.Piece{Text: "   " + strings.Join(hit.Breadcrumb, " > "), Style: term.Strong})
	}
	showContext(s, "   ", hit.Passage.Context)
	s.Block("   ", hit.Passage.Text)
	for _, line := range term.Lines(hit.Explain) {
		if line != "" {
			s.Line(term.Piece{Text: "   | " + line, Style: term.Faint})
		}
	}
	s.Line()
}

// generations names the generations that an answer comes from.
func generations(numbers map[string]uint64) string {
	if len(numbers) == 0 {
		return "no source"
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		parts = append(parts, fmt.Sprintf("%s generation %d", name, numbers[name]))
	}
	return strings.Join(parts, ", ")
}
