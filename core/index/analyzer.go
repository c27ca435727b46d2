package index

import (
	"bytes"
	"unicode/utf8"
)

// AnalyzerVersion is part of every row's key and of the mark: an index made by another analyzer is dropped and built
// again.
//
//	1  words and identifiers, English stems, CJK bigrams
//	2  the same terms; rows store the lengths of their fields
const AnalyzerVersion = 2

// maxTerm bounds a term in bytes. A longer run (base64, minified code) is cut to it, in rows and in queries alike, so
// that it is still found by itself; 64 holds a SHA-256 in hexadecimal and every identifier met in practice.
const maxTerm = 64

// maxParts is how many parts a run of letters and digits may have and still be indexed in parts. Identifiers have
// fewer; a run with more is a hash or an encoding, whose parts are noise.
const maxParts = 8

// class says what a byte is to the fast path.
type class uint8

const (
	other class = iota
	lower
	upper
	digit
	connector // joins the parts of an identifier: get_user, state-of-the-art, fmt.Println
	high      // a byte of a character beyond ASCII
)

// classOf is computed by the switch alone, so that it needs no table that someone could change.
func classOf(c byte) class {
	switch {
	case 'a' <= c && c <= 'z':
		return lower
	case c >= utf8.RuneSelf:
		return high
	case 'A' <= c && c <= 'Z':
		return upper
	case '0' <= c && c <= '9':
		return digit
	case c == '_' || c == '-' || c == '.':
		return connector
	}
	return other
}

// analyzer turns text into terms. It keeps buffers and a cache of stems and serves one goroutine at a time.
type analyzer struct {
	emit  func(term string, prefix bool)
	query bool // the text is a query: see cjk

	stems  map[string]stem
	folded []byte // the word in hand, folded
	joined []byte // a whole identifier without its connectors
	parts  []part
	wide   []byte // the word in hand after NFKC
}

func newAnalyzer() *analyzer { return &analyzer{stems: make(map[string]stem)} }

// terms calls emit for each term of text, in order, repeated ones included. With prefix, which only a query gives, the
// term stands for all terms that begin with it. Bytes that are not UTF-8 separate words.
func (a *analyzer) terms(text []byte, emit func(term string, prefix bool)) {
	a.emit = emit
	for i := 0; i < len(text); {
		switch classOf(text[i]) {
		case lower, upper, digit:
			i += a.word(text[i:])
		case high:
			i += a.wideWord(text[i:])
		default:
			i++
		}
	}
	a.emit = nil
}

// word handles a word that begins with an ASCII letter or digit and returns its length in bytes.
func (a *analyzer) word(text []byte) int {
	borders := 0 // places where the word may have to be taken apart
	last := classOf(text[0])
	i := 1
	for i < len(text) {
		c := classOf(text[i])
		if c == high {
			return a.wideWord(text)
		}
		size := 1
		if c == connector {
			size = connects(text[i:])
		}
		if c == other || size == 0 {
			break
		}
		if c != last && !(last == upper && c == lower && i == 1) {
			borders++
		}
		last = c
		i += size
	}
	if borders == 0 {
		a.plain(text[:i])
	} else {
		a.compound(text[:i])
	}
	return i + possessive(text[i:])
}

// connects returns the length of the connector that text begins with, 0 where no word goes on after it. Underscores may
// be repeated (a__b); two hyphens or full stops are punctuation.
func connects(text []byte) int {
	i := 1
	for text[0] == '_' && i < len(text) && text[i] == '_' {
		i++
	}
	if i == len(text) {
		return 0
	}
	switch classOf(text[i]) {
	case lower, upper, digit:
		return i
	case high:
		if r, _ := utf8.DecodeRune(text[i:]); isWord(r) && !isBigram(r) {
			return i
		}
	}
	return 0
}

// possessive returns the length of an apostrophe, straight or curly, and s that end a word: they are no term.
func possessive(text []byte) int {
	rest, ok := bytes.CutPrefix(text, []byte("'"))
	if !ok {
		rest, ok = bytes.CutPrefix(text, []byte("\u2019"))
	}
	if !ok || len(rest) == 0 || rest[0] != 's' || len(rest) > 1 && classOf(rest[1]) != other {
		return 0
	}
	return len(text) - len(rest) + 1
}

// plain emits one word that has no parts. Stop words are dropped here and only here, so that identifiers keep theirs.
func (a *analyzer) plain(word []byte) {
	if s := a.stem(word); !s.stop {
		a.emit(s.term, false)
	}
}
