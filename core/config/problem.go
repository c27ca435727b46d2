package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// notInForce marks a value that is known and will mean something, but does not in this version.
const notInForce = "is not in force in this version"

// Problem is one thing wrong with a configuration.
type Problem struct {
	File    string
	Line    int    // from 1; 0 where the file as a whole is meant
	Key     string // as written in its table; "" where no key is meant
	Reason  string
	Allowed string // "" where there is nothing to choose from
}

// Error is one printable line, whatever bytes the file or its name held.
func (p *Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	if p.Key != "" {
		b.WriteString(": " + short(p.Key))
	}
	b.WriteString(": " + short(p.Reason))
	if p.Allowed != "" {
		b.WriteString("; allowed: " + p.Allowed)
	}
	return oneLine(b.String())
}

// maxShown bounds what of a file's own text is repeated in an error, in bytes: enough to find it again.
const maxShown = 200

func short(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return s[:maxShown/2] + "..." + s[len(s)-maxShown/2:]
}

// oneLine escapes control characters and bytes that are not UTF-8.
func oneLine(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"), unicode.IsControl(r) && r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsControl(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Problems is everything wrong with a configuration, by line. It is never empty where it is an error.
type Problems []*Problem

// maxProblems is how many lines an error has at most; what is beyond is mostly the echo of what is before.
const maxProblems = 20

// Error joins the problems, one a line.
func (ps Problems) Error() string {
	var lines []string
	for i, p := range ps {
		if i == maxProblems {
			lines = append(lines, fmt.Sprintf("%s: and %d more", p.File, len(ps)-i))
			break
		}
		lines = append(lines, p.Error())
	}
	return strings.Join(lines, "\n")
}

// Unwrap lets errors.As find a single Problem.
func (ps Problems) Unwrap() []error {
	out := make([]error, len(ps))
	for i, p := range ps {
		out[i] = p
	}
	return out
}

func (ps Problems) err() error {
	if len(ps) == 0 {
		return nil
	}
	slices.SortStableFunc(ps, func(a, b *Problem) int { return cmp.Compare(a.Line, b.Line) })
	return ps
}
