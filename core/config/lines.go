package config

import (
	"bytes"
	"fmt"
	"strings"
)

// lines says on which line a key stands, by a path such as source[0].rule[1].max_tokens. The TOML library gives
// positions for what it refuses itself only, and one position for all tables of an array, so the text is read again.
type lines map[string]int

// at returns the line of path, or of the nearest table around it.
func (l lines) at(path string) int {
	for path != "" {
		if line, ok := l[path]; ok {
			return line
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return 0
}

// findLines reads a document that the TOML library has accepted; on any other its answer means nothing, but it ends.
func findLines(data []byte) lines {
	s := &lineScanner{text: data, line: 1, found: lines{}, tables: map[string]int{}}
	table := ""
	for s.skipBlank(); len(s.text) > 0; s.skipBlank() {
		if s.text[0] == '[' {
			table = s.header()
			continue
		}
		s.pair(table)
	}
	return s.found
}

type lineScanner struct {
	text   []byte // what is left
	line   int
	found  lines
	tables map[string]int // arrays of tables: how many so far
}

// advance steps over n bytes and counts the lines in them.
func (s *lineScanner) advance(n int) {
	n = min(n, len(s.text))
	s.line += bytes.Count(s.text[:n], []byte{'\n'})
	s.text = s.text[n:]
}

// skipBlank steps over white space, line ends and comments.
func (s *lineScanner) skipBlank() {
	for len(s.text) > 0 {
		switch s.text[0] {
		case ' ', '\t', '\r', '\n':
			s.advance(1)
		case '#':
			s.advance(s.index("\n"))
		default:
			return
		}
	}
}

// index is the distance to the first of any byte in set, or to the end.
func (s *lineScanner) index(set string) int {
	if i := bytes.IndexAny(s.text, set); i >= 0 {
		return i
	}
	return len(s.text)
}

func (s *lineScanner) note(path string) {
	if _, ok := s.found[path]; !ok {
		s.found[path] = s.line
	}
}

// header reads [a.b] or [[a.b]] and returns the path of the table it opens.
func (s *lineScanner) header() string {
	s.advance(1)
	array := bytes.HasPrefix(s.text, []byte("["))
	if array {
		s.advance(1)
	}
	path := ""
	parts := s.key()
	for i, part := range parts {
		path = join(path, part)
		switch n := s.tables[path]; {
		case array && i == len(parts)-1:
			s.tables[path]++
			path = fmt.Sprintf("%s[%d]", path, n)
		case n > 0:
			path = fmt.Sprintf("%s[%d]", path, n-1)
		}
		s.note(path)
	}
	s.advance(s.index("\n"))
	return path
}

// pair reads KEY = VALUE beneath table.
func (s *lineScanner) pair(table string) {
	path := table
	for _, part := range s.key() {
		path = join(path, part)
		s.note(path)
	}
	s.advance(1) // the equals sign
	s.value(path)
}

// key reads a dotted key up to the byte that ends it.
func (s *lineScanner) key() []string {
	var parts []string
	for {
		s.skipBlank()
		if len(s.text) > 0 && (s.text[0] == '"' || s.text[0] == '\'') {
			before := s.text
			s.quoted()
			parts = append(parts, unquoteKey(string(before[:len(before)-len(s.text)])))
		} else {
			n := s.index(".=] \t\r\n")
			parts = append(parts, string(s.text[:n]))
			s.advance(n)
		}
		s.skipBlank()
		if len(s.text) == 0 || s.text[0] != '.' {
			return parts
		}
		s.advance(1)
	}
}

// value steps over a value and notes the elements of lists and inline tables.
func (s *lineScanner) value(path string) {
	s.skipBlank()
	s.note(path)
	if len(s.text) == 0 {
		return
	}
	switch s.text[0] {
	case '"', '\'':
		s.quoted()
	case '[':
		n := 0
		s.enclosed(']', func() { s.value(fmt.Sprintf("%s[%d]", path, n)); n++ })
	case '{':
		s.enclosed('}', func() { s.pair(path) })
	default:
		s.advance(max(s.index(",]}#\n"), 1))
	}
}

// enclosed calls each at every element up to the closing byte.
func (s *lineScanner) enclosed(closing byte, each func()) {
	s.advance(1)
	for s.skipBlank(); len(s.text) > 0; s.skipBlank() {
		switch s.text[0] {
		case closing:
			s.advance(1)
			return
		case ',':
			s.advance(1)
		default:
			each()
		}
	}
}

// quoted steps over a string of any of TOML's four forms.
func (s *lineScanner) quoted() {
	quote := s.text[:1]
	end := quote
	if long := bytes.Repeat(quote, 3); bytes.HasPrefix(s.text, long) {
		end = long
	}
	i := len(end)
	for i < len(s.text) && !bytes.HasPrefix(s.text[i:], end) {
		if s.text[i] == '\\' && quote[0] == '"' {
			i++
		}
		i++
	}
	i += len(end)
	for len(end) == 3 && i < len(s.text) && s.text[i] == quote[0] {
		i++ // up to two quotes may stand before the closing three
	}
	s.advance(i)
}
