package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cleave-project/cleave/cmd/cleave/internal/term"
	"github.com/cleave-project/cleave/core/control"
	"github.com/spf13/cobra"
)

// app is one run of the command line: where it reads and writes, and the flags that every command has.
type app struct {
	in       io.Reader
	out, err io.Writer
	env      func(string) string

	socket  string
	json    bool
	jsonl   bool // of the commands that list
	noColor bool
}

// quiet is an error that has been reported, or needs no report: only its exit code is left.
type quiet struct{ exit int }

func (q quiet) Error() string { return fmt.Sprintf("exit %d", q.exit) }

// failure is an error with what was being done when it came.
type failure struct {
	doing string
	err   error
}

func (f failure) Error() string { return f.doing + ": " + f.err.Error() }
func (f failure) Unwrap() error { return f.err }

// doing says what was being done; nil stays nil.
func doing(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return failure{fmt.Sprintf(format, args...), err}
}

// run carries out a command line and gives its exit code.
func (a *app) run(ctx context.Context, args []string) int {
	root := a.root()
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return control.ExitDone
	}
	if q, ok := errors.AsType[quiet](err); ok {
		return q.exit
	}
	exit, message := exitOf(err), err.Error()
	if _, ours := errors.AsType[failure](err); !ours {
		message += " (cleave --help says what there is)"
	}
	a.note("%s", message)
	return exit
}

// exitOf is the exit code of an error. One that is not control's was met on this side of the socket; where it is not
// wrapped by a command, it is cobra's own, about the usage.
func exitOf(err error) int {
	if e, ok := errors.AsType[*control.Error](err); ok {
		return e.Exit
	}
	if _, ok := errors.AsType[failure](err); ok {
		return control.ExitFailed
	}
	return control.ExitUsage
}

// root is the command with its subcommands.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "cleave",
		Short: "Ask cleaved: search a tree of documents by passages, and see how they are cut",
		Long: `cleave asks the daemon cleaved, which keeps directories of documents split into passages that fit a model's
token budget, and answers questions with them.

Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 nothing found or a scan that could not be
complete, 4 daemon not reachable, 5 not permitted, 6 differences or damage found.`,
		Example: `  cleave scan --wait
  cleave query how strong may the wind be
  cleave split README.md --max-tokens 200`,
		SilenceErrors: true, // run prints them, on one line
		SilenceUsage:  true,
		Version:       control.BuildVersion().Version,

		DisableSuggestions: true, // they take lines
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			if a.json && a.jsonl {
				return doing(control.Usage("--json and --jsonl are two forms (give one)"), "%s", c.Name())
			}
			return nil
		},
	}
	root.SetVersionTemplate("cleave {{.Version}}\n")
	flags := root.PersistentFlags()
	flags.StringVar(&a.socket, "socket", "", "the daemon's socket (default $CLEAVE_SOCKET, "+control.DefaultSocket+
		" or $XDG_RUNTIME_DIR/cleave/cleave.sock)")
	flags.BoolVar(&a.json, "json", false, "print one JSON value")
	flags.BoolVar(&a.noColor, "no-color", false, "no colour, as with NO_COLOR set")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		what := c.Name()
		if !c.HasParent() {
			what = "command line"
		}
		return doing(control.Usage("%v (%s --help says what there is)", err, c.CommandPath()), "%s", what)
	})
	root.AddCommand(a.scan(), a.query(), a.split(), a.ls(), a.show(), a.status(), a.generations(), a.doctor(), a.version())
	root.SetHelpCommand(help())
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args = cobra.ArbitraryArgs
			c.RunE = func(*cobra.Command, []string) error {
				return doing(control.Usage("which shell's? (bash, zsh, fish or powershell)"), "completion")
			}
		}
	}
	return root
}

// help is cobra's, which takes a topic that is not there for a success.
func help() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say what a command does",
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return doing(control.Usage("no command %q (cleave --help says what there is)", strings.Join(args, " ")), "help")
			}
			return about.Help()
		},
	}
}

// usage checks arguments like check and says where help is.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return doing(control.Usage("%v (usage: %s)", err, c.UseLine()), "%s", c.Name())
		}
		return nil
	}
}

// listing gives c the flag for one JSON value a line.
func (a *app) listing(c *cobra.Command) {
	c.Flags().BoolVar(&a.jsonl, "jsonl", false, "print one JSON value a line")
}

func (a *app) client() *control.Client { return control.Dial(control.SocketPath(a.socket, a.env)) }

// screen is where text for people goes.
func (a *app) screen() *term.Screen { return term.New(a.out, a.env, a.noColor) }

// emit prints an answer: as JSON where that is asked for, else with show.
func (a *app) emit(answer any, show func(*term.Screen)) error {
	if a.json {
		return control.Encode(a.out, answer)
	}
	s := a.screen()
	show(s)
	return s.Flush()
}

// note prints one line on standard error.
func (a *app) note(format string, args ...any) {
	fmt.Fprintf(a.err, "cleave: %s\n", term.Clean(fmt.Sprintf(format, args...)))
}
