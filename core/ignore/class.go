package ignore

import "strings"

// class is a set of bytes.
type class [256]bool

func (s *class) has(c byte) bool { return s[c] }
func (s *class) remove(c byte)   { s[c] = false }

func (s *class) add(from, to byte) {
	for c := int(from); c <= int(to); c++ {
		s[c] = true
	}
}

func (s *class) negate() {
	for c := range s {
		s[c] = !s[c]
	}
}

// parseClass reads a class at the start of text and returns its length, 0 where it has no end or names a set of
// bytes that does not exist. A closing bracket that comes first is a member.
func parseClass(text string) (*class, int) {
	s := new(class)
	i := 1
	negated := strings.HasPrefix(text[i:], "!") || strings.HasPrefix(text[i:], "^")
	if negated {
		i++
	}
	for first, before := true, byte(0); ; first = false {
		if i >= len(text) {
			return nil, 0
		}
		c := text[i]
		switch {
		case c == ']' && !first:
			if negated {
				s.negate()
			}
			return s, i + 1
		case c == '-' && before != 0 && i+1 < len(text) && text[i+1] != ']':
			to, n := unescape(text[i+1:])
			if n == 0 {
				return nil, 0
			}
			s.add(before, to)
			i, before = i+1+n, 0
		case c == '[' && strings.HasPrefix(text[i:], "[:"):
			name, n := className(text[i:])
			if n == 0 {
				s.add('[', '[') // it only looks like a named set
				i, before = i+1, '['
				continue
			}
			if !s.addNamed(name) {
				return nil, 0
			}
			i, before = i+n, 0
		default:
			to, n := unescape(text[i:])
			if n == 0 {
				return nil, 0
			}
			s.add(to, to)
			i, before = i+n, to
		}
	}
}

// unescape reads one byte that may stand behind a backslash; n is 0 where there is none.
func unescape(text string) (c byte, n int) {
	switch {
	case text[0] != '\\':
		return text[0], 1
	case len(text) == 1:
		return 0, 0
	}
	return text[1], 2
}

// className reads "[:name:]" up to the first closing bracket; n is 0 where that is not what stands there.
func className(text string) (name string, n int) {
	end := strings.IndexByte(text[2:], ']') + 2
	if end < 3 || text[end-1] != ':' {
		return "", 0
	}
	return text[2 : end-1], end + 1
}

// addNamed adds a named set; all are of ASCII only, and a space is what git takes for one.
func (s *class) addNamed(name string) bool {
	const punct = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
	members := map[string][]string{ // pairs are ranges
		"alnum": {"09", "AZ", "az"}, "alpha": {"AZ", "az"}, "blank": {"  ", "\t\t"}, "cntrl": {"\x00\x1f", "\x7f\x7f"},
		"digit": {"09"}, "graph": {"!~"}, "lower": {"az"}, "print": {" ~"}, "punct": nil,
		"space": {"  ", "\t\t", "\n\n", "\r\r"}, "upper": {"AZ"}, "xdigit": {"09", "AF", "af"},
	}
	ranges, ok := members[name]
	for _, r := range ranges {
		s.add(r[0], r[1])
	}
	if name == "punct" {
		for _, c := range []byte(punct) {
			s.add(c, c)
		}
	}
	return ok
}
