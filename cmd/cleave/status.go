package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/cleave-project/cleave/cmd/cleave/internal/term"
	"github.com/cleave-project/cleave/core/control"
	"github.com/spf13/cobra"
)

// watchEvery is how often status --watch asks: often enough to look alive, rare enough to cost nothing.
const watchEvery = time.Second

func (a *app) status() *cobra.Command {
	var watch bool
	c := &cobra.Command{
		Use:   "status",
		Short: "Show the state of the daemon and of each source",
		Long: `status shows each source's state: current, scanning, degraded (served, but the last scan could not read
everything, or failed), unavailable (the root is gone or is not the one that is known) or held. Documents that
could not be split are counted and named whatever the state is: STALE ones are served as they were before, of
FAILED ones nothing is. With --watch it goes on until it is interrupted; with --json too it then prints one JSON
value a line.`,
		Example: `  cleave status
  cleave status --json | jq '.sources[] | {name, state, generation}'`,
		Args: usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			if watch {
				return doing(a.watchStatus(c), "status")
			}
			return doing(a.runStatus(c, false), "status")
		},
	}
	c.Flags().BoolVar(&watch, "watch", false, "go on showing it")
	return c
}

func (a *app) runStatus(c *cobra.Command, clear bool) error {
	answer, err := a.client().Status(c.Context(), control.StatusRequest{})
	if err != nil {
		return err
	}
	return a.emit(answer, func(s *term.Screen) {
		if clear {
			s.Clear()
		}
		showStatus(s, answer, time.Now())
	})
}

func (a *app) watchStatus(c *cobra.Command) error {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		err := a.runStatus(c, true)
		if c.Context().Err() != nil {
			return nil // interrupted, as it is meant to be
		}
		if err != nil {
			return err
		}
		select {
		case <-c.Context().Done():
		case <-tick.C:
		}
	}
}

func showStatus(s *term.Screen, a control.StatusAnswer, now time.Time) {
	s.Line(term.Piece{Text: "cleaved " + a.Version, Style: term.Strong}, term.Text(fmt.Sprintf(", pid %d, up %s, %s of memory, %s of state",
		a.PID, time.Duration(a.UptimeS)*time.Second, term.Size(a.RSSBytes), term.Size(a.StateBytes))))
	s.Line()
	t := term.NewTable("SOURCE", "STATE", ">GENERATION", ">DOCUMENTS", ">CHUNKS", ">BYTES", ">STALE", ">FAILED", "LAST SCAN", "~ROOT")
	for _, x := range a.Sources {
		t.Row(term.Piece{Text: x.Name, Style: term.Strong}, stateOf(x.State), term.Int(x.Generation), term.Int(x.Documents), term.Int(x.Chunks),
			term.Text(term.Size(x.Bytes)), count(x.Stale), count(x.Failed), term.Text(ago(x.LastScan, now)), term.Text(x.Root))
	}
	s.Table(t)
	for _, x := range a.Sources {
		showSourceNotes(s, x)
	}
	if len(a.Plugins) > 0 {
		s.Line()
		showPlugins(s, a.Plugins)
	}
}

// count is a number that is odd where it is not 0.
func count(n int) term.Piece {
	p := term.Int(n)
	if n > 0 {
		p.Style = term.Odd
	}
	return p
}

// showSourceNotes prints what a source's row has no room for.
func showSourceNotes(s *term.Screen, x control.SourceStatus) {
	if x.Reason != "" {
		s.Line(term.Text(x.Name+": "), term.Piece{Text: bareReason(x.Name, x.Reason), Style: term.Odd})
	}
	if x.Scanning != nil {
		s.Line(term.Text(x.Name+": "), term.Piece{Text: progress(*x.Scanning), Style: term.Mark})
	}
	if x.Generation != 0 && x.IndexGeneration != x.Generation {
		s.Line(term.Text(x.Name+": "), term.Piece{Text: fmt.Sprintf("the index is at generation %d", x.IndexGeneration), Style: term.Odd})
	}
	for _, f := range x.Failures {
		s.Line(term.Text(x.Name+":"+f.Path+": "), term.Piece{Text: f.Code, Style: term.Bad}, term.Text(": "+f.Message))
	}
}

// progress is a scan's progress as a bar of text, which status --watch redraws.
func progress(p control.Scanning) string {
	const width = 30
	if p.Total == 0 {
		return "scanning"
	}
	done := min(width*p.Done/p.Total, width)
	return fmt.Sprintf("scanning [%s%s] %d of %d", strings.Repeat("=", done), strings.Repeat(" ", width-done), p.Done, p.Total)
}

func showPlugins(s *term.Screen, plugins []control.PluginStatus) {
	t := term.NewTable("PLUGIN", "VERSION", ">PROCESSES", ">CALLS", ">CRASHES", "~CLAIMS")
	for _, p := range plugins {
		t.Row(term.Text(p.Name), term.Text(p.Version), term.Int(p.Processes), term.Int(p.Calls), count(int(p.Crashes)), term.Text(strings.Join(p.Claims, " ")))
	}
	s.Table(t)
}

// ago is how long ago an RFC 3339 time was, to the second.
func ago(at control.Optional, now time.Time) string {
	t, err := time.Parse(time.RFC3339, string(at))
	if err != nil {
		return "never"
	}
	return max(now.Sub(t), 0).Truncate(time.Second).String() + " ago"
}
