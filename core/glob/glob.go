// Package glob matches slash paths against patterns. It owns one function and the syntax it accepts, so that plugin
// claims, source rules and path filters all mean the same thing by a pattern. It does not read directories and knows
// nothing of git's ignore rules, which differ.
//
// # Syntax
//
//	"*"      any bytes except '/'
//	"**"     any bytes, '/' included, where it stands alone between slashes; "a/**/b" also matches "a/b",
//	         "a/**" everything beneath a, "**/b" b at any depth
//	"?"      one UTF-8 character except '/' (a byte that is no part of one counts as a character)
//	"[a-z]"  one character of a class; "[^a-z]" and "[!a-z]" one that is not in it
//	"\c"     the character c itself
//
// A pattern matches the whole name. Names are bytes: a name that is not UTF-8 can be matched by "*" and "**". A "**"
// that does not stand alone in its element means the same as "*".
package glob

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// ErrBadPattern says that a pattern is malformed: an open class, a class without members, a trailing backslash.
var ErrBadPattern = errors.New("malformed glob pattern")

// Match tells whether pattern matches the whole of name. A malformed pattern matches nothing; use Valid to refuse it
// where it is configured. Its time is bounded by len(pattern) times len(name), whatever the pattern.
func Match(pattern, name string) bool {
	if tail := strings.TrimPrefix(pattern, "*"); plain(tail) {
		if tail == pattern {
			return name == pattern
		}
		// "*.md", as nearly all claims are: a scan asks them about each of its files.
		return strings.HasSuffix(name, tail) && strings.IndexByte(name, '/') < 0
	}
	if Valid(pattern) != nil {
		return false
	}
	return matchElements(strings.Split(pattern, "/"), strings.Split(name, "/"))
}

// plain tells whether an end of a pattern stands for itself, in one element or none. It is ASCII, so that it matches no
// part of a character.
func plain(tail string) bool {
	for i := range len(tail) {
		switch c := tail[i]; {
		case c >= utf8.RuneSelf, c == '*', c == '?', c == '[', c == '\\', c == '/':
			return false
		}
	}
	return true
}

// Valid returns ErrBadPattern where pattern is malformed.
func Valid(pattern string) error {
	for _, element := range strings.Split(pattern, "/") {
		for element != "" {
			rest, ok := skipToken(element)
			if !ok {
				return ErrBadPattern
			}
			element = rest
		}
	}
	return nil
}

// matchElements compares element by element. Only the last "**" met need be tried again: what an earlier one could
// take more of, the later one can take as well.
func matchElements(pattern, name []string) bool {
	p, n := 0, 0
	retryP, retryN := -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			if p == len(pattern)-1 {
				return true // the rest of name has at least one element
			}
			retryP, retryN = p, n
			p++
		case p < len(pattern) && matchElement(pattern[p], name[n]):
			p++
			n++
		case retryP >= 0:
			retryN++
			p, n = retryP+1, retryN
		default:
			return false
		}
	}
	return p == len(pattern)
}

// matchElement matches one element, which holds no slash, in the same way: only the last "*" is tried again.
func matchElement(pattern, name string) bool {
	retryP, retryN := "", ""
	retry := false
	for name != "" {
		if strings.HasPrefix(pattern, "*") {
			pattern = strings.TrimLeft(pattern, "*")
			retryP, retryN, retry = pattern, name, true
			continue
		}
		if pattern != "" {
			r, size := utf8.DecodeRuneInString(name)
			if rest, ok := matchToken(pattern, name[:size], r); ok {
				pattern, name = rest, name[size:]
				continue
			}
		}
		if !retry {
			return false
		}
		// One byte at a time, so that a star also steps over bytes that are not UTF-8.
		_, size := utf8.DecodeRuneInString(retryN)
		retryN = retryN[size:]
		pattern, name = retryP, retryN
	}
	return strings.Trim(pattern, "*") == ""
}

// matchToken matches the first token of pattern, which is no star, against one character and returns the rest of the
// pattern. char is r as it stands in the name: bytes that are not UTF-8 are compared as bytes.
func matchToken(pattern, char string, r rune) (rest string, ok bool) {
	switch pattern[0] {
	case '?':
		return pattern[1:], true
	case '[':
		return matchClass(pattern, r)
	case '\\':
		pattern = pattern[1:]
	}
	rest, ok = strings.CutPrefix(pattern, char)
	return rest, ok
}

// matchClass matches a class that Valid has seen.
func matchClass(pattern string, r rune) (rest string, ok bool) {
	pattern = pattern[1:]
	negated := pattern[0] == '^' || pattern[0] == '!'
	if negated {
		pattern = pattern[1:]
	}
	found := false
	for first := true; first || pattern[0] != ']'; first = false {
		lo, after, _ := classRune(pattern)
		hi := lo
		if after[0] == '-' && after[1] != ']' {
			hi, after, _ = classRune(after[1:])
		}
		found = found || lo <= r && r <= hi
		pattern = after
	}
	return pattern[1:], found != negated
}

// classRune reads one character of a class, which may be escaped.
func classRune(s string) (r rune, rest string, ok bool) {
	s = strings.TrimPrefix(s, `\`)
	if s == "" {
		return 0, "", false
	}
	r, size := utf8.DecodeRuneInString(s)
	return r, s[size:], size < len(s)
}

// skipToken steps over the first token of an element and tells whether it is well formed.
func skipToken(s string) (rest string, ok bool) {
	switch s[0] {
	case '[':
		return skipClass(s[1:])
	case '\\':
		if len(s) == 1 {
			return "", false
		}
		s = s[1:]
	}
	_, size := utf8.DecodeRuneInString(s)
	return s[size:], true
}

func skipClass(s string) (rest string, ok bool) {
	if s != "" && (s[0] == '^' || s[0] == '!') {
		s = s[1:]
	}
	for first := true; ; first = false {
		if s == "" {
			return "", false
		}
		if s[0] == ']' && !first {
			return s[1:], true
		}
		if _, s, ok = classRune(s); !ok {
			return "", false
		}
		if len(s) > 1 && s[0] == '-' && s[1] != ']' {
			if _, s, ok = classRune(s[1:]); !ok {
				return "", false
			}
		}
	}
}
