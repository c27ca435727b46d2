package ignore

import (
	"bytes"
	"slices"
	"strings"
)

// Verdict is what an ignore file says about a path.
type Verdict int

const (
	Silent  Verdict = iota // no pattern matches
	Ignored                // the last pattern that matches says so
	Kept                   // the last pattern that matches is negated
)

// Rules is one ignore file. It is immutable. The zero value is an empty file.
type Rules struct {
	patterns []pattern // in the order of the file
}

// Parse reads an ignore file. Every content is valid: what is no pattern matches nothing.
func Parse(data []byte) Rules {
	var r Rules
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	for line := range bytes.SplitSeq(data, []byte{'\n'}) {
		text := string(bytes.TrimSuffix(line, []byte{'\r'}))
		text, _, _ = strings.Cut(text, "\x00") // git's lines are C strings
		if text == "" || text[0] == '#' {
			continue
		}
		r.patterns = append(r.patterns, newPattern(trimSpaces(text)))
	}
	return r
}

// Empty tells whether there is nothing to match.
func (r Rules) Empty() bool { return len(r.patterns) == 0 }

// Match holds path, relative to the ignore file's directory and without a slash at its end, against the rules. dir
// says that path is a directory itself; a link to one is none.
func (r Rules) Match(path string, dir bool) Verdict {
	for _, p := range slices.Backward(r.patterns) {
		switch {
		case !p.match(path, dir):
		case p.negated:
			return Kept
		default:
			return Ignored
		}
	}
	return Silent
}

// trimSpaces takes off the spaces at the end of a line. A backslash keeps the one behind it, and with it all before.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(line))
	}
	return line[:end]
}
