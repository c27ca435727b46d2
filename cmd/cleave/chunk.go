package main

import (
	"fmt"
	"strings"

	"github.com/cleave-project/cleave/cmd/cleave/internal/term"
	"github.com/cleave-project/cleave/core/control"
)

// showChunk prints a chunk: a line that marks its boundary, the context that is repeated before it, its text.
func showChunk(s *term.Screen, c control.Chunk) {
	s.Line(term.Piece{Text: fmt.Sprintf("── %d ", c.Index), Style: term.Mark},
		term.Piece{Text: fmt.Sprintf("%s, %s, lines %d-%d, bytes %d-%d", c.Kind, term.Count(c.Tokens, "token"), c.StartLine, c.EndLine, c.Start, c.End), Style: term.Faint},
		term.Piece{Text: trail(c.Breadcrumb), Style: term.Strong})
	showContext(s, "", c.Context)
	s.Block("", c.Text)
}

// showContext prints what is repeated before a text, marked as not being there.
func showContext(s *term.Screen, indent string, context []control.Context) {
	for _, x := range context {
		for _, line := range term.Lines(x.Text) {
			s.Line(term.Piece{Text: indent + "│ " + line, Style: term.Faint})
		}
	}
}

func trail(breadcrumb []string) string {
	if len(breadcrumb) == 0 {
		return ""
	}
	return "  " + strings.Join(breadcrumb, " > ")
}

// showOddities prints what is left out of the chunks and what is odd about the file.
func showOddities(s *term.Screen, skipped []control.Skipped, warnings []control.Warning) {
	for _, x := range skipped {
		s.Line(term.Piece{Text: fmt.Sprintf("skipped %d-%d: %s", x.Start, x.End, x.Reason), Style: term.Faint})
	}
	for _, w := range warnings {
		at := ""
		if w.Start != nil {
			at = fmt.Sprintf(" at %d", *w.Start)
		}
		s.Line(term.Piece{Text: fmt.Sprintf("warning%s: %s: %s", at, w.Code, w.Message), Style: term.Odd})
	}
}
