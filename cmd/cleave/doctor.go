package main

import (
	"context"
	"errors"

	"github.com/cleave-project/cleave/cmd/cleave/internal/term"
	"github.com/cleave-project/cleave/core/control"
	"github.com/spf13/cobra"
)

func (a *app) doctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check what would keep cleave from working here, and say what mends it",
		Long: `doctor checks from this side that the daemon can be reached, and has the daemon check the rest. Something wrong
is exit code 6, a daemon that does not answer 4.`,
		Example: "  cleave doctor",
		Args:    usage(cobra.NoArgs),
		RunE:    func(c *cobra.Command, _ []string) error { return doing(a.runDoctor(c.Context()), "doctor") },
	}
}

func (a *app) runDoctor(ctx context.Context) error {
	answer, unasked := a.checks(ctx)
	if err := a.emit(answer, func(s *term.Screen) { showChecks(s, answer.Checks) }); err != nil {
		return err
	}
	if unasked != nil {
		return unasked
	}
	if !answer.OK() {
		return quiet{control.ExitDifferent} // the checks are the report
	}
	return nil
}

// checks are this side's checks and, where the daemon answers, its own; else why it does not.
func (a *app) checks(ctx context.Context) (control.DoctorAnswer, error) {
	client := a.client()
	theirs, err := client.Version(ctx, control.VersionRequest{})
	var answer control.DoctorAnswer
	if err == nil {
		answer, err = client.Doctor(ctx, control.DoctorRequest{})
	}
	if err != nil {
		return control.DoctorAnswer{Checks: []control.Check{a.unreached(err)}}, err
	}
	path := control.SocketPath(a.socket, a.env)
	mine := []control.Check{
		{Name: "daemon", OK: true, Level: control.LevelError, Message: "answers on " + path},
		versions(control.BuildVersion().Version, theirs.Version),
	}
	answer.Checks = append(mine, answer.Checks...)
	return answer, nil
}

// unreached is the check that failed when the daemon did not answer, or answered that it will not.
func (a *app) unreached(err error) control.Check {
	c := control.Check{Name: "daemon", Level: control.LevelError, Message: err.Error()}
	if e, ok := errors.AsType[*control.Error](err); ok && e.Exit == control.ExitUnreachable {
		c.Fix = "cleaved --config FILE, or systemctl start cleaved"
	}
	return c
}

func versions(mine, theirs string) control.Check {
	c := control.Check{Name: "versions", OK: mine == theirs, Level: control.LevelWarning, Message: "cleave and cleaved are both " + mine}
	if !c.OK {
		c.Message = "cleave is " + mine + ", cleaved is " + theirs
		c.Fix = "restart cleaved after an update"
	}
	return c
}

func showChecks(s *term.Screen, checks []control.Check) {
	for _, c := range checks {
		mark := term.Piece{Text: "ok       ", Style: term.Good}
		switch {
		case c.OK:
		case c.Level == control.LevelWarning:
			mark = term.Piece{Text: "warning  ", Style: term.Odd}
		default:
			mark = term.Piece{Text: "wrong    ", Style: term.Bad}
		}
		s.Line(mark, term.Piece{Text: c.Name, Style: term.Strong}, term.Text(": "+c.Message))
		if !c.OK && c.Fix != "" {
			s.Line(term.Text("         mend it: " + c.Fix))
		}
	}
}
