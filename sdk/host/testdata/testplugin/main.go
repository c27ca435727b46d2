// Command testplugin is a splitter whose behaviour is chosen by the first word of the content: the faults that a host
// must survive, and honest paragraphs for everything else. Arguments: its name, then its globs; "-" ends it at the start.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"github.com/cleave-project/cleave/sdk"
	"github.com/cleave-project/cleave/sdk/plugin"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "-" {
		fmt.Fprintln(os.Stderr, "no licence")
		os.Exit(1)
	}
	plugin.Serve(splitter{})
}

// always is the first word of every content, where the build sets it: a plugin that never works.
var always string

type splitter struct{}

func (splitter) Info() sdk.Info {
	info := sdk.Info{Name: "test", Version: "1", Globs: []string{"*.test"}, MediaTypes: []string{"text/x-test"}, Input: sdk.InputText}
	if len(os.Args) > 1 {
		info.Name, info.Globs = os.Args[1], os.Args[2:]
	}
	return info
}

func (splitter) Split(ctx context.Context, f sdk.File) (sdk.Outline, error) {
	word, _, _ := strings.Cut(string(f.Content), "\n")
	word, argument, _ := strings.Cut(cmp.Or(always, word), " ")
	switch word {
	case "HANG":
		select {} // deaf to ctx
	case "SLOW":
		<-ctx.Done()
		return sdk.Outline{}, ctx.Err()
	case "CRASH":
		panic("poisoned")
	case "EXIT":
		os.Exit(3)
	case "STOP":
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		select {} // the signal may take a moment
	case "FLOOD":
		flood()
	case "BIG":
		return sdk.Outline{Text: make([]byte, 96<<20)}, nil
	case "MANY":
		return sdk.Outline{Units: make([]sdk.Unit, 1<<20)}, nil
	case "LIE":
		return lie(argument), nil
	case "FORK":
		return sdk.Outline{}, fork(argument, &syscall.SysProcAttr{Setsid: true})
	case "LEAVE":
		err := fork(argument, nil)
		fmt.Fprintln(stderr, "leaving")
		fmt.Fprintln(stderr, "a child behind:", err)
		os.Exit(4)
	case "REFUSE":
		code := sdk.CodeDamaged
		if argument != "" {
			code = sdk.Code(argument)
		}
		return sdk.Outline{}, sdk.Errorf(code, "the %s is damaged\x1b[31m", "test")
	case "FAIL":
		return sdk.Outline{}, errors.New("something else")
	case "ENVIRON":
		return sdk.Outline{Title: strings.Join(os.Environ(), "\n")}, nil
	case "FDS":
		return sdk.Outline{Title: descriptors()}, nil
	}
	return honest(f.Content), nil
}

// stderr is the descriptor itself. go-plugin carries what is written to os.Stderr over the connection, and what is on
// its way is lost with the process.
var stderr = os.NewFile(2, "stderr")

func flood() {
	line := bytes.Repeat([]byte("x"), 1<<20)
	for range 64 {
		_, _ = stderr.Write(line)
	}
	for i := range 10000 {
		fmt.Fprintf(stderr, "\nline %d \x1b[2J", i)
	}
	fmt.Fprintln(stderr, `
{"level":"ERROR","msg":"the disk is on fire"}`)
}

func lie(how string) sdk.Outline {
	u := sdk.Unit{Kind: sdk.KindParagraph, Cut: sdk.CutSentences, Span: sdk.Span{Start: 0, End: 3}}
	switch how {
	case "negative":
		u.Span.Start = -5
	case "beyond":
		u.Span.End = 1 << 40
	case "kind":
		u.Kind = "banana"
	case "name":
		u.Name = "\xff\xfe"
	}
	return sdk.Outline{Units: []sdk.Unit{u}}
}

// fork leaves a grandchild that holds standard error.
func fork(pidFile string, how *syscall.SysProcAttr) error {
	cmd := exec.Command("/bin/sleep", "600")
	cmd.SysProcAttr = how
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	return os.WriteFile(pidFile, []byte(strconv.Itoa(cmd.Process.Pid)), 0o600)
}

func descriptors() string {
	var open []string
	for fd := range 256 {
		if target, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd)); err == nil {
			open = append(open, fmt.Sprintf("%d %s", fd, target))
		}
	}
	return strings.Join(open, "\n")
}

// honest gives a paragraph for each run of lines between blank ones.
func honest(text []byte) sdk.Outline {
	var o sdk.Outline
	for at := 0; at < len(text); {
		n := len(text) - at
		if i := bytes.Index(text[at:], []byte("\n\n")); i >= 0 {
			n = i + 1
		}
		if len(bytes.TrimSpace(text[at:at+n])) > 0 {
			o.Units = append(o.Units, sdk.Unit{Kind: sdk.KindParagraph, Cut: sdk.CutSentences,
				Span: sdk.Span{Start: at, End: at + n}})
		}
		at += n + 1
	}
	return o
}
