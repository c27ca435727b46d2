package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/cleave-project/cleave/cmd/cleave/internal/term"
	"github.com/cleave-project/cleave/core/control"
	"github.com/spf13/cobra"
)

func (a *app) split() *cobra.Command {
	var r control.SplitRequest
	var maxTokens, overlap, target int
	c := &cobra.Command{
		Use:   "split FILE",
		Short: "Show the chunks that a file would give; nothing is changed",
		Long: `split sends a file's bytes to the daemon and shows how it would be cut, by the daemon's plugins and policy or by
the ones given. The daemon opens no path for it: this command reads the file, and the vocabulary of
--tokenizer wordpiece:FILE too. FILE may be -, for standard input; --name then says how it would be called.

A file that cannot be split is exit code 1, options that are refused are 2.`,
		Example: `  cleave split README.md
  cleave split handbook.md --max-tokens 200 --overlap 40
  cleave split data.csv --json | jq '.chunks[].tokens'
  git show HEAD:README.md | cleave split - --name README.md --outline`,
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			r.MaxTokens = given(c, "max-tokens", &maxTokens)
			r.Overlap = given(c, "overlap", &overlap)
			r.TargetTokens = given(c, "target-tokens", &target)
			return doing(a.runSplit(c, r, args[0]), "split %s", args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&r.Name, "name", "", "the file's name, by which its format is told (default: its own)")
	f.StringVar(&r.Plugin, "plugin", "", "this plugin instead of the one that claims the name")
	f.StringVar(&r.Strategy, "strategy", "", "structural, recursive or fixed")
	f.IntVar(&maxTokens, "max-tokens", 0, "most tokens of a chunk, with all that is embedded with it")
	f.IntVar(&overlap, "overlap", 0, "tokens that the pieces of what is cut share at most")
	f.StringVar(&r.Tokenizer, "tokenizer", "", "o200k_base, cl100k_base, words or wordpiece:FILE")
	f.IntVar(&target, "target-tokens", 0, "join neighbours up to this many tokens (0: up to --max-tokens)")
	f.StringVar(&r.Oversize, "oversize", "", "what happens to a unit over budget: split or reject")
	f.BoolVar(&r.Outline, "outline", false, "show what the plugin says about the file too")
	f.Bool("embed-text", false, "for symmetry with show: split always gives the embedding text in JSON")
	return c
}

// given is a flag's value where it was given.
func given(c *cobra.Command, name string, value *int) *int {
	if !c.Flag(name).Changed {
		return nil
	}
	return value
}

func (a *app) runSplit(c *cobra.Command, r control.SplitRequest, file string) error {
	content, size, err := a.open(c.Context(), &r, file)
	if err != nil {
		return bare(err)
	}
	defer content.Close()
	if err := readVocabulary(&r); err != nil {
		return err
	}
	answer, err := a.client().SplitFrom(c.Context(), r, content, size)
	if err != nil {
		return err
	}
	if err := a.emit(answer, func(s *term.Screen) { showSplit(s, answer) }); err != nil {
		return err
	}
	return refused(answer.Error)
}

// open opens the file and names it in r. A regular file is not held in memory here; what else there is has no size
// before it has been read.
func (a *app) open(ctx context.Context, r *control.SplitRequest, file string) (io.ReadCloser, int64, error) {
	if file == "-" {
		if r.Name == "" {
			return nil, 0, control.Usage("standard input has no name (add --name, like --name notes.md)")
		}
		r.Name = filepath.Base(r.Name)
		return readAll(ctx, io.NopCloser(a.in))
	}
	if r.Name == "" {
		r.Name = file
	}
	r.Name = filepath.Base(r.Name)
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0) // to open a pipe that nobody writes to would wait for ever
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	if !info.Mode().IsRegular() || info.Size() == 0 { // files of /proc have no size either
		content, size, err := readAll(ctx, f)
		if err == nil && size == 0 && info.Mode()&os.ModeNamedPipe != 0 {
			return nil, 0, errors.New("is a pipe that nobody writes to")
		}
		return content, size, err
	}
	return f, info.Size(), nil
}

// maxPipe bounds what is read from a pipe: more than any daemon is likely to take, less than hurts.
const maxPipe = 1 << 30

// readAll reads a pipe to its end, or until ctx ends: a read that waits for a writer does not see an interrupt, so it is
// left behind with the process.
func readAll(ctx context.Context, from io.ReadCloser) (io.ReadCloser, int64, error) {
	type result struct {
		content []byte
		err     error
	}
	read := make(chan result, 1)
	go func() {
		defer from.Close()
		content, err := io.ReadAll(io.LimitReader(from, maxPipe+1))
		read <- result{content, err}
	}()
	select {
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	case r := <-read:
		switch {
		case r.err != nil:
			return nil, 0, r.err
		case len(r.content) > maxPipe:
			return nil, 0, fmt.Errorf("more than %s come through the pipe (give a file)", term.Size(maxPipe))
		}
		return io.NopCloser(bytes.NewReader(r.content)), int64(len(r.content)), nil
	}
}

// readVocabulary reads the vocabulary where the tokenizer's is of this side.
func readVocabulary(r *control.SplitRequest) (err error) {
	vocabulary, ok := strings.CutPrefix(r.Tokenizer, "wordpiece:")
	if !ok {
		return nil
	}
	if r.Vocabulary, err = os.ReadFile(vocabulary); err != nil {
		return control.Usage("--tokenizer %s: %v", r.Tokenizer, bare(err))
	}
	if len(r.Vocabulary) == 0 {
		return control.Usage("--tokenizer %s: the vocabulary is empty", r.Tokenizer)
	}
	r.Tokenizer = "wordpiece:" + filepath.Base(vocabulary)
	return nil
}

// bare is a file error without the path, which the line names already.
func bare(err error) error {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		return p.Err
	}
	return err
}

// refused is the error of a document that gives no chunks.
func refused(e *control.Refusal) error {
	if e == nil {
		return nil
	}
	exit := control.ExitFailed
	if e.Code == "invalid_config" {
		exit = control.ExitUsage
	}
	return &control.Error{Code: e.Code, Exit: exit, Message: e.Code + ": " + e.Message}
}

func showSplit(s *term.Screen, a control.SplitAnswer) {
	if a.Error != nil {
		return // the error says it
	}
	if a.Units != nil {
		showUnits(s, *a.Units)
	}
	for _, c := range a.Chunks {
		showChunk(s, c)
	}
	showOddities(s, a.Skipped, a.Warnings)
	for _, c := range a.CutSentences {
		s.Line(term.Piece{Text: fmt.Sprintf("no chunk holds the sentence at %d-%d whole", c.Start, c.End), Style: term.Odd})
	}
	s.Line(term.Piece{Text: fmt.Sprintf("%s: %s, %s, storage ratio %.3f, by %s %s", a.Document.Path, term.Size(a.Document.Bytes),
		term.Count(len(a.Chunks), "chunk"), a.StorageRatio, a.Document.Plugin.Name, a.Document.Plugin.Version), Style: term.Faint})
}

// showUnits prints an outline as a tree.
func showUnits(s *term.Screen, units []control.Unit) {
	for _, u := range units {
		name := ""
		if u.Name != "" {
			name = "  " + u.Name
		}
		s.Line(term.Text(strings.Repeat("  ", u.Depth)), term.Piece{Text: u.Kind, Style: term.Mark}, term.Text(name),
			term.Piece{Text: fmt.Sprintf("  %d-%d  cut at %s", u.Start, u.End, u.Cut), Style: term.Faint})
	}
	s.Line()
}
