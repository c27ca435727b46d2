package term

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean gives s for one line of output: control characters, line breaks, bytes that are not UTF-8, and characters that
// reorder or hide text are written as escapes.
func Clean(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case !hostile(r):
			b.WriteRune(r)
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += n
	}
	return b.String()
}

// tabStop is the width of a tab in the texts of documents.
const tabStop = 4

// Lines gives a text as lines that are clean. Tabs become blanks, and a line may end in CR LF or LF.
func Lines(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = Clean(expand(strings.TrimSuffix(line, "\r")))
	}
	return lines
}

func expand(line string) string {
	if !strings.Contains(line, "\t") {
		return line
	}
	var b strings.Builder
	column := 0
	for _, part := range strings.SplitAfter(line, "\t") {
		part, tab := strings.CutSuffix(part, "\t")
		b.WriteString(part)
		column += Width(part)
		if tab {
			n := tabStop - column%tabStop
			b.WriteString(strings.Repeat(" ", n))
			column += n
		}
	}
	return b.String()
}

// plain tells whether s is printable ASCII, as most of what is printed is.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// hostile tells whether r acts on a terminal instead of being shown. Joiners and marks act on their neighbours only
// and belong to scripts and emoji.
func hostile(r rune) bool {
	switch {
	case unicode.IsControl(r): // C0, DEL, C1
		return true
	case r == '\u2028' || r == '\u2029': // line and paragraph separator
		return true
	case r == '\u061c' || r == '\u200e' || r == '\u200f', r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069': // UAX #9 controls
		return true
	case r == '\ufeff' || r == '\u200b' || r == '\u2060': // invisible
		return true
	}
	return r >= 0xe0000 && r <= 0xe007f // tags: invisible copies of ASCII
}
