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
		b.WriteString(": " + p.Key)
	}
	b.WriteString(": " + p.Reason)
	if p.Allowed != "" {
		b.WriteString("; allowed: " + p.Allowed)
	}
	return oneLine(b.String())
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

// Error joins the problems, one a line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
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
