package ignore

import "strings"

// pattern is one line of an ignore file.
type pattern struct {
	negated  bool
	dirOnly  bool
	baseOnly bool   // held against the last element of a path
	literal  string // what a match begins with, byte for byte
	suffix   bool   // literal is what a match ends with
	rest     []step // what follows the literal start; nil: nothing may
}

// special is what ends the literal start of a pattern.
const special = `*?[\`

func newPattern(text string) pattern {
	var p pattern
	text, p.negated = strings.CutPrefix(text, "!")
	text, p.dirOnly = strings.CutSuffix(text, "/")
	p.baseOnly = !strings.Contains(text, "/")
	if !p.baseOnly {
		text = strings.TrimPrefix(text, "/")
	}
	if p.baseOnly && len(text) > 0 && text[0] == '*' && !strings.ContainsAny(text[1:], special) {
		p.suffix, p.literal = true, text[1:]
		return p
	}
	p.literal = text
	if i := strings.IndexAny(text, special); i >= 0 {
		p.literal = text[:i]
		p.rest = compile(text[i:])
	}
	return p
}

func (p *pattern) match(path string, dir bool) bool {
	if p.dirOnly && !dir {
		return false
	}
	if p.baseOnly {
		path = path[strings.LastIndexByte(path, '/')+1:]
	}
	if p.suffix {
		return strings.HasSuffix(path, p.literal)
	}
	name, ok := strings.CutPrefix(path, p.literal)
	if !ok {
		return false
	}
	if p.rest == nil {
		return name == ""
	}
	return matchSteps(p.rest, name)
}
