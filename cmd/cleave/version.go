package main

import (
	"errors"

	"github.com/cleave-project/cleave/cmd/cleave/internal/term"
	"github.com/cleave-project/cleave/core/control"
	"github.com/spf13/cobra"
)

// versionPair is what version --json prints. Daemon is null where it does not answer.
type versionPair struct {
	Client control.VersionAnswer  `json:"client"`
	Daemon *control.VersionAnswer `json:"daemon"`
}

func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say what cleave and the daemon were built from",
		Args:  usage(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return doing(a.runVersion(c), "version") },
	}
}

// runVersion knows its own version in any case, so a daemon that does not answer is a note and no failure.
func (a *app) runVersion(c *cobra.Command) error {
	pair := versionPair{Client: control.BuildVersion()}
	answer, err := a.client().Version(c.Context(), control.VersionRequest{})
	e, remote := errors.AsType[*control.Error](err)
	switch {
	case err == nil:
		pair.Daemon = &answer
	case remote && (e.Exit == control.ExitUnreachable || e.Exit == control.ExitNotPermitted):
		a.note("version: %v", err)
	default:
		return err
	}
	return a.emit(pair, func(s *term.Screen) {
		s.Line(term.Text("cleave  " + pair.Client.Version + " (" + pair.Client.Go + ")"))
		if pair.Daemon != nil {
			s.Line(term.Text("cleaved " + pair.Daemon.Version + " (" + pair.Daemon.Go + ")"))
		}
	})
}
