package token

import (
	"unicode"
	"unicode/utf8"
)

// class is what the pre-token patterns ask of a character.
type class uint8

const (
	upper    class = 1 << iota // \p{Lu} \p{Lt}
	lower                      // \p{Ll}
	caseless                   // \p{Lm} \p{Lo}
	mark                       // \p{M}
	number                     // \p{N}
	space                      // \s
	newline                    // [\r\n], which are \s too

	letter = upper | lower | caseless
)

// classes holds the class of every character of the first two planes; the others are few in texts and are looked up.
// The table is there for speed: a lookup in package unicode searches up to five range tables.
type classes [0x20000]class

func newClasses() *classes {
	c := new(classes)
	for _, t := range classTables() {
		c.add(t.table, t.class)
	}
	c['\r'] |= newline
	c['\n'] |= newline
	return c
}

type classTable struct {
	table *unicode.RangeTable
	class class
}

func classTables() []classTable {
	return []classTable{
		{unicode.Lu, upper}, {unicode.Lt, upper}, {unicode.Ll, lower}, {unicode.Lm, caseless},
		{unicode.Lo, caseless}, {unicode.M, mark}, {unicode.N, number}, {unicode.White_Space, space},
	}
}

func (c *classes) add(t *unicode.RangeTable, k class) {
	for _, r := range t.R16 {
		for x := int(r.Lo); x <= int(r.Hi); x += int(r.Stride) {
			c[x] |= k
		}
	}
	for _, r := range t.R32 {
		for x := int(r.Lo); x <= int(r.Hi) && x < len(c); x += int(r.Stride) {
			c[x] |= k
		}
	}
}

// at is the class and width of the character at text[i]. A byte that is not UTF-8 is a character of its own of no
// class, like U+FFFD, which the references put in its place.
func (c *classes) at(text []byte, i int) (class, int) {
	if b := text[i]; b < utf8.RuneSelf {
		return c[b], 1
	}
	r, w := utf8.DecodeRune(text[i:])
	if int(r) < len(c) {
		return c[r], w
	}
	for _, t := range classTables() {
		if unicode.Is(t.table, r) {
			return t.class, w
		}
	}
	return 0, w
}

// run is the end of the longest run of characters from text[i] on that have one of the classes k.
func (c *classes) run(text []byte, i int, k class) int {
	for i < len(text) {
		x, w := c.at(text, i)
		if x&k == 0 {
			break
		}
		i += w
	}
	return i
}

// runNot is the end of the longest run of characters from text[i] on that have none of the classes k.
func (c *classes) runNot(text []byte, i int, k class) int {
	for i < len(text) {
		x, w := c.at(text, i)
		if x&k != 0 {
			break
		}
		i += w
	}
	return i
}
