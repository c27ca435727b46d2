package main

import (
	"fmt"
	"strings"

	"github.com/cleave-project/cleave/cmd/cleave/internal/term"
	"github.com/cleave-project/cleave/core/control"
	"github.com/spf13/cobra"
)

func (a *app) show() *cobra.Command {
	var r control.ShowRequest
	c := &cobra.Command{
		Use:   "show ID | SOURCE:PATH",
		Short: "Show one chunk with its context and citation, or a document's chunks",
		Long: `show prints a chunk as it is cited, or all chunks of a document. A stale document is shown as it was before, with
the reason; one that was never split is exit code 1.`,
		Example: `  cleave show handbook:ops/dome.md
  cleave show 3f1c...   # an id that ls --chunks or --json printed, in full`,
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			source, path, byPath := strings.Cut(args[0], ":") // neither an id nor a source's name holds a colon
			if byPath {
				r.Source, r.Path = source, path
			} else {
				r.ID = args[0]
			}
			return doing(a.runShow(c, r), "show %s", args[0])
		},
	}
	c.Flags().Uint64Var(&r.Generation, "generation", 0, "of this generation instead of the newest")
	c.Flags().BoolVar(&r.EmbedText, "embed-text", false, "add the embedding text to chunks in JSON")
	return c
}

func (a *app) runShow(c *cobra.Command, r control.ShowRequest) error {
	if err := r.Check(); err != nil {
		return err
	}
	answer, err := a.client().Show(c.Context(), r)
	if err != nil {
		return err
	}
	if err := a.emit(answer, func(s *term.Screen) { showAnswer(s, answer) }); err != nil {
		return err
	}
	if neverSplit(answer) {
		return refused(answer.Error)
	}
	return nil
}

// neverSplit tells a failed document from a stale one, whose chunks are those of its last good version.
func neverSplit(a control.ShowAnswer) bool {
	return a.Error != nil && a.Chunk == nil && len(a.Chunks) == 0
}

func showAnswer(s *term.Screen, a control.ShowAnswer) {
	if a.Chunk != nil {
		showChunk(s, *a.Chunk)
		s.Line(term.Piece{Text: citation(*a.Chunk), Style: term.Faint})
		return
	}
	if neverSplit(a) {
		return // the error says it
	}
	for _, c := range a.Chunks {
		showChunk(s, c)
	}
	showOddities(s, a.Skipped, a.Warnings)
	if a.Error != nil {
		s.Line(term.Piece{Text: fmt.Sprintf("stale: %s: %s", a.Error.Code, a.Error.Message), Style: term.Odd})
	}
	s.Line(term.Piece{Text: fmt.Sprintf("%s: %s, %s, by %s %s", a.Document.Path, term.Size(a.Document.Bytes), term.Count(len(a.Chunks), "chunk"),
		a.Document.Plugin.Name, a.Document.Plugin.Version), Style: term.Faint})
}

// citation says where a chunk is to be found.
func citation(c control.Chunk) string {
	where := fmt.Sprintf("bytes %d-%d", c.Start, c.End)
	if c.Coords != "source" {
		where += " of the extracted text"
	}
	if c.Page > 0 {
		where = fmt.Sprintf("page %d, %s", c.Page, where)
	}
	return fmt.Sprintf("%s:%s:%d-%d, %s, revision %s, generation %d", c.Source, c.Path, c.StartLine, c.EndLine, where,
		c.Revision[:min(revisionDigits, len(c.Revision))], c.Generation)
}
