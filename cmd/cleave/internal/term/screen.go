package term

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"
	xterm "golang.org/x/term"
)

// Style is how a piece of output looks where there is colour.
type Style int

// The styles.
const (
	Plain Style = iota
	Strong
	Faint
	Good
	Odd
	Bad
	Mark
)

// codes are SGR parameters (ECMA-48, 8.3.117), from the sixteen colours that every theme sets for itself.
var codes = [...]string{Plain: "", Strong: "1", Faint: "2", Good: "32", Odd: "33", Bad: "31", Mark: "36"}

// Piece is a part of a line.
type Piece struct {
	Text  string
	Style Style
}

// Text is a piece without a style.
func Text(s string) Piece { return Piece{Text: s} }

// Int is a number as a piece.
func Int[N int | int64 | uint64](n N) Piece { return Piece{Text: strconv.FormatInt(int64(n), 10)} }

// Screen prints lines. It is buffered; Flush gives the first error of all writes.
type Screen struct {
	w      *bufio.Writer
	colour bool
	width  int // 0: as wide as need be
}

// New gives a screen on w. Colour is used where w is a terminal, NO_COLOR (no-color.org) is empty, and plain is false.
func New(w io.Writer, env func(string) string, plain bool) *Screen {
	s := &Screen{w: bufio.NewWriter(w)}
	f, ok := w.(*os.File)
	if !ok || !xterm.IsTerminal(int(f.Fd())) {
		return s
	}
	s.colour = !plain && env("NO_COLOR") == "" && env("TERM") != "dumb"
	if width, _, err := xterm.GetSize(int(f.Fd())); err == nil {
		s.width = width
	}
	return s
}

// Terminal tells whether f is a terminal, where a progress bar makes sense.
func Terminal(f io.Writer) bool {
	file, ok := f.(*os.File)
	return ok && xterm.IsTerminal(int(file.Fd()))
}

// Line prints pieces, cleaned, on one line.
func (s *Screen) Line(pieces ...Piece) {
	for _, p := range pieces {
		s.put(Clean(p.Text), p.Style)
	}
	s.newline()
}

// Block prints a text of a document, cleaned, each line after indent.
func (s *Screen) Block(indent, text string) {
	for _, line := range Lines(text) {
		if line != "" {
			_, _ = s.w.WriteString(indent) // the writer keeps its error for Flush
		}
		s.put(line, Plain)
		s.newline()
	}
}

// put writes a text that is clean.
func (s *Screen) put(text string, style Style) {
	if s.colour && style != Plain {
		text = "\x1b[" + codes[style] + "m" + text + "\x1b[0m"
	}
	_, _ = s.w.WriteString(text) // the writer keeps its error for Flush
}

func (s *Screen) newline() { _ = s.w.WriteByte('\n') } // the writer keeps its error for Flush

// Clear empties a terminal before what is printed next; elsewhere it does nothing.
func (s *Screen) Clear() {
	if s.width > 0 {
		_, _ = s.w.WriteString("\x1b[H\x1b[2J") // the writer keeps its error for Flush
	}
}

// Flush writes what is buffered and gives the first error.
func (s *Screen) Flush() error { return s.w.Flush() }

// Width is the number of terminal columns that a clean text takes.
func Width(s string) int { return displaywidth.String(s) }

// shorten cuts a clean text to width columns and marks the cut.
func shorten(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	return displaywidth.TruncateString(s, max(width, 1), "…")
}

func pad(n int) string { return strings.Repeat(" ", max(n, 0)) }
