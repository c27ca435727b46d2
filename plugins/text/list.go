package main

import (
	"bytes"
	"regexp"
	"strconv"
	"unicode/utf8"
)

// A marker begins a list item: its form ("-", "1.", "(a)"), the column it stands in, the column its text begins in, and
// its number where it has one.
type marker struct {
	form    string
	indent  int
	content int
	number  int
}

func (m marker) ordered() bool { return m.number >= 0 }

// follows tells whether m goes on the list that prev stands in: the same form in the same column, the next number.
func (m marker) follows(prev marker) bool {
	if m.form != prev.form || m.indent != prev.indent {
		return false
	}
	return !m.ordered() || m.number == prev.number+1
}

// itemStart matches a bullet, a number or a letter with a bracket, then a blank and text. A letter with a full stop is
// an initial rather than an item.
var itemStart = regexp.MustCompile(`^[ \t]*(?:([-*+•‣◦▪●·–—])|(\()?(?:(\d{1,4})|([a-z]))(\)|[.])?)[ \t]+\S`)

// readMarker reads the marker at the start of a line.
func readMarker(head []byte) (marker, bool) {
	if !mayMark(bytes.TrimLeft(head, " \t")) {
		return marker{}, false
	}
	m := itemStart.FindSubmatchIndex(head)
	if m == nil {
		return marker{}, false
	}
	k := marker{indent: indent(head), content: indent(head) + 2, number: -1}
	group := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return string(head[m[2*i]:m[2*i+1]])
	}
	bullet, open, digits, letter, closer := group(1), group(2), group(3), group(4), group(5)
	if bullet != "" {
		k.form = bullet
		return k, true
	}
	if closer == "" || open != "" && closer != ")" || letter != "" && closer != ")" {
		return marker{}, false
	}
	if letter != "" {
		k.form, k.number = open+"a"+closer, int(letter[0])
		return k, true
	}
	k.form = open + "1" + closer
	k.number, _ = strconv.Atoi(digits) // four digits at most
	return k, true
}

// mayMark tells by its first bytes whether a text can begin with a marker, since few lines do and the pattern is slow.
func mayMark(text []byte) bool {
	if len(text) < 2 {
		return false
	}
	switch c := text[0]; {
	case 'a' <= c && c <= 'z':
		return text[1] == ')'
	case '0' <= c && c <= '9', c == '(', c >= utf8.RuneSelf:
		return true
	default:
		return c == '-' || c == '*' || c == '+'
	}
}

// item is one item of a list: where its line begins, and whether it holds items or paragraphs of its own.
type item struct {
	start  int
	nested bool
}

type list struct {
	marker marker
	items  []item
	// end is the end of the list's last line that is not blank.
	end int
	// spaced tells that it goes on behind a blank line.
	spaced bool
}

// convincing tells whether what was read is a list and not a paragraph that happens to have a line with a dash or a
// number at its start: two items at the start of a block, or behind a line that announces them, three elsewhere.
func (li list) convincing(src []byte, blockStart int) bool {
	first := li.items[0].start
	switch {
	case first == blockStart:
		return len(li.items) >= 2 || li.spaced
	case announces(bytes.TrimSpace(src[max(blockStart, first-maxHead):first])):
		return len(li.items) >= 2
	}
	return len(li.items) >= 3
}

// findItem looks for the first line with a marker in the block that begins with l and gives its start, -1 where there
// is none, and the end of the block: the end of its last line before a blank one. The number of a clause, at offset
// label, is no marker.
func findItem(src []byte, l line, end, label int) (first, blockEnd int) {
	first = -1
	for {
		if first < 0 && l.start != label {
			if _, ok := readMarker(l.head(src)); ok {
				first = l.start
			}
		}
		blockEnd = l.end
		if l.next >= end {
			return first, blockEnd
		}
		if l = lineAt(src, l.next); l.blank(src) {
			return first, blockEnd
		}
	}
}

// readList reads the list whose first item's line begins at offset at. A line without a marker of the list goes on the
// item before it; behind a blank line it must be indented to the item's text.
func readList(src []byte, at, end int) list {
	l := lineAt(src, at)
	m, _ := readMarker(l.head(src))
	li := list{marker: m, items: []item{{start: at}}, end: l.end}
	last, gap := m, false
	for l.next < end {
		l = lineAt(src, l.next)
		if l.blank(src) {
			gap = true
			continue
		}
		head := l.head(src)
		k, ok := readMarker(head)
		switch {
		case ok && k.follows(last):
			li.items = append(li.items, item{start: l.start})
			last = k
		case gap && indent(head) < m.content:
			return li
		default:
			it := &li.items[len(li.items)-1]
			it.nested = it.nested || gap || ok && k.indent > m.indent
		}
		li.spaced = li.spaced || gap
		li.end, gap = l.end, false
	}
	return li
}
