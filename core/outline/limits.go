package outline

import (
	"strings"
	"unicode/utf8"
)

// Bounds on what one outline may say (I13). They lie far above what real documents need (a table of a million rows is
// a million units), and below what would let a splitter fill the daemon's memory through a small file.
const (
	maxUnits    = 1 << 23
	maxCells    = 1 << 25 // over all units
	maxContexts = 1 << 10 // of one unit; each is a span that is repeated, and a budget has no room for a hundred
	maxKeys     = 1 << 10 // key columns of one table
	maxWarnings = 1 << 16
	maxMeta     = 1 << 12
	maxValue    = 1 << 20 // bytes of one attribute or property
	maxLang     = 64      // bytes; the longest registered BCP 47 tags are under 40

	// MaxName bounds names and titles in bytes. A longer one (a heading of a megabyte) is clipped with an ellipsis
	// and not refused: each chunk repeats it as metadata, and its words stand in the text anyhow.
	MaxName = 1024
)

// clip shortens s to at most limit bytes, the ellipsis included, at a character's edge.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := limit - len("…")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.TrimSpace(s[:n]) + "…"
}

// oneLine folds white space, line breaks included, to single blanks.
func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
}
