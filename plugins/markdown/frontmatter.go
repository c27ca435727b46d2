package main

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/cleave-project/cleave/sdk"
)

// maxFrontMatter bounds how far the closing line is looked for, in bytes: front matter is written by hand, and the
// largest seen is a few KiB.
const maxFrontMatter = 64 << 10

// maxFields and maxValues bound how many values and bytes are read from front matter, so that aliases cannot multiply
// them: every value once and as long as the front matter itself fits.
const (
	maxFields = 4096
	maxValues = 4 * maxFrontMatter
)

// frontMatter reads the YAML ("---") or TOML ("+++") block at the very start of the content into out and gives its
// length, closing line included, or 0 where there is none. What opens with "---" is front matter only if it is closed,
// if its first line is not blank and if it is a mapping; else it is a thematic break (CommonMark section 4.1) and stays
// text.
func frontMatter(content []byte, out *sdk.Outline) int {
	first, at := line(content, 0)
	var parse func([]byte) (map[string]string, error)
	var closers []string
	switch trimBlanks(first) {
	case "---":
		parse, closers = parseYAML, []string{"---", "..."}
	case "+++":
		parse, closers = parseTOML, []string{"+++"}
	default:
		return 0
	}
	if next, _ := line(content, at); trimBlanks(next) == "" {
		return 0
	}
	body, end := findCloser(content, at, closers)
	if end == 0 {
		return 0
	}
	meta, err := parse(content[at:body])
	if err != nil {
		out.Warnings = append(out.Warnings, damaged(content[:end], at, err)...)
		return 0
	}
	out.Meta = meta
	out.Title = collapse(meta["title"])
	out.Language = language(meta)
	out.Skips = append(out.Skips, sdk.Skip{Span: sdk.Span{Start: 0, End: end}, Reason: sdk.SkipFrontMatter})
	return end
}

// line gives the line at offset at, without its ending, and where the next one begins.
func line(content []byte, at int) ([]byte, int) {
	rest := content[at:]
	n := bytes.IndexAny(rest, "\r\n")
	if n < 0 {
		return rest, len(content)
	}
	next := at + n + 1
	if rest[n] == '\r' && n+1 < len(rest) && rest[n+1] == '\n' {
		next++
	}
	return rest[:n], next
}

func trimBlanks(line []byte) string { return string(bytes.TrimRight(line, " \t")) }

// findCloser looks for the closing line from at on and gives its start and end, or 0 and 0.
func findCloser(content []byte, at int, closers []string) (start, end int) {
	limit := at + maxFrontMatter
	for at < len(content) && at < limit {
		l, next := line(content, at)
		for _, c := range closers {
			if trimBlanks(l) == c {
				return at, next
			}
		}
		at = next
	}
	return 0, 0
}

// field matches the first line of what was meant as front matter.
var field = regexp.MustCompile(`^"?[A-Za-z][\w.-]*"?\s*[:=]`)

// damaged reports what looks like front matter but is none; it stays text.
func damaged(block []byte, at int, err error) []sdk.Warning {
	if !field.Match(block[at:]) {
		return nil
	}
	return []sdk.Warning{{Code: sdk.WarnSyntaxError, Span: sdk.Span{Start: 0, End: len(block)},
		Message: "front matter is not valid and stays text: " + collapse(err.Error())}}
}

// maxLangTag is the length every BCP 47 tag fits in (RFC 5646 section 4.4.1).
const maxLangTag = 35

// tag matches a BCP 47 language tag as documents give it.
var tag = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

// language is the document's language, where its front matter says so.
func language(meta map[string]string) string {
	for _, k := range []string{"lang", "language"} {
		if v := strings.TrimSpace(meta[k]); len(v) <= maxLangTag && tag.MatchString(v) {
			return v
		}
	}
	return ""
}
