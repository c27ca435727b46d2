package main

import (
	"fmt"
	"strings"

	"github.com/cleave-project/cleave/cmd/cleave/internal/term"
	"github.com/cleave-project/cleave/core/control"
	"github.com/spf13/cobra"
)

// revisionDigits is how much of a revision people see: enough to tell two apart.
const revisionDigits = 12

// listed is what ls --json prints.
type listed struct {
	control.ListAnswer
	Documents control.List[control.ListDocument] `json:"documents"`
	Chunks    *control.List[control.Chunk]       `json:"chunks,omitempty"`   // with --chunks
	LeftOut   *control.List[control.LeftOut]     `json:"left_out,omitempty"` // with --all
}

func (a *app) ls() *cobra.Command {
	var r control.ListRequest
	c := &cobra.Command{
		Use:   "ls [SOURCE[:PATH]]",
		Short: "List the documents of a generation",
		Long: `ls lists the documents of a source's newest generation, or of the one given; PATH is a document, or a folder with
all beneath it. With --jsonl each document is a line; with --chunks each chunk is.`,
		Example: `  cleave ls handbook
  cleave ls handbook:ops --chunks
  cleave ls handbook --all --json | jq '.left_out'`,
		Args: usage(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				r.Source, r.Path, _ = strings.Cut(args[0], ":") // a source's name holds no colon
			}
			return doing(a.runLs(c, r), "%s", strings.Join(append([]string{"ls"}, args...), " "))
		},
	}
	f := c.Flags()
	f.Uint64Var(&r.Generation, "generation", 0, "of this generation instead of the newest")
	f.BoolVar(&r.Chunks, "chunks", false, "list the chunks too")
	f.BoolVar(&r.All, "all", false, "add what was left out, with the reason")
	f.BoolVar(&r.EmbedText, "embed-text", false, "add the embedding text to chunks in JSON")
	a.listing(c)
	return c
}

func (a *app) runLs(c *cobra.Command, r control.ListRequest) error {
	if a.jsonl {
		_, err := a.client().List(c.Context(), r, func(i control.ListItem) error { return a.lsLine(r, i) })
		return err
	}
	l := listed{}
	if r.Chunks {
		l.Chunks = &control.List[control.Chunk]{}
	}
	if r.All {
		l.LeftOut = &control.List[control.LeftOut]{}
	}
	answer, err := a.client().List(c.Context(), r, func(i control.ListItem) error {
		l.add(i)
		return nil
	})
	if err != nil {
		return err
	}
	l.ListAnswer = answer
	return a.emit(l, func(s *term.Screen) { showLs(s, l) })
}

func (l *listed) add(i control.ListItem) {
	switch {
	case i.Document != nil:
		l.Documents = append(l.Documents, *i.Document)
	case i.Chunk != nil && l.Chunks != nil:
		*l.Chunks = append(*l.Chunks, *i.Chunk)
	case i.LeftOut != nil && l.LeftOut != nil:
		*l.LeftOut = append(*l.LeftOut, *i.LeftOut)
	}
}

// lsLine prints an item as it comes, so that a long listing takes no memory.
func (a *app) lsLine(r control.ListRequest, i control.ListItem) error {
	switch {
	case i.Chunk != nil:
		return control.Encode(a.out, i.Chunk)
	case i.LeftOut != nil:
		return control.Encode(a.out, i.LeftOut)
	case i.Document != nil && !r.Chunks:
		return control.Encode(a.out, i.Document)
	}
	return nil
}

func showLs(s *term.Screen, l listed) {
	t := term.NewTable("STATE", ">CHUNKS", ">BYTES", "REVISION", "~PATH")
	for _, d := range l.Documents {
		t.Row(stateOf(d.State), term.Int(d.Chunks), term.Int(d.Bytes), term.Text(d.Revision[:min(revisionDigits, len(d.Revision))]), term.Text(d.Path))
	}
	s.Table(t)
	if l.Chunks != nil {
		s.Line()
		showChunkList(s, *l.Chunks)
	}
	if l.LeftOut != nil {
		s.Line()
		left := term.NewTable("LEFT OUT", "~PATH")
		for _, x := range *l.LeftOut {
			left.Row(term.Text(x.Reason), term.Text(x.Path))
		}
		s.Table(left)
	}
	s.Line(term.Piece{Text: fmt.Sprintf("%s generation %d: %s", l.Source, l.Generation, term.Count(len(l.Documents), "document")), Style: term.Faint})
}

func showChunkList(s *term.Screen, chunks []control.Chunk) {
	t := term.NewTable("CHUNK", ">LINES", ">BYTES", ">TOKENS", "KIND", "~PATH")
	for _, c := range chunks {
		t.Row(term.Text(c.ID), term.Text(fmt.Sprintf("%d-%d", c.StartLine, c.EndLine)), term.Text(fmt.Sprintf("%d-%d", c.Start, c.End)),
			term.Int(c.Tokens), term.Text(c.Kind), term.Text(c.Path))
	}
	s.Table(t)
}

// stateOf colours the state of a document or source.
func stateOf(state string) term.Piece {
	switch state {
	case "current":
		return term.Piece{Text: state, Style: term.Good}
	case "failed", "unavailable":
		return term.Piece{Text: state, Style: term.Bad}
	case "scanning":
		return term.Piece{Text: state, Style: term.Mark}
	}
	return term.Piece{Text: state, Style: term.Odd}
}
