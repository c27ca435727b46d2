package token

import (
	"math/bits"
	"unicode/utf8"
)

// Measured is a text tokenized once, so that slices of it are counted by looking at their ends only. It holds the text,
// which must not change, and about a third of a byte for each byte of it. It is immutable.
type Measured struct {
	tok    Tokenizer
	text   []byte
	bounds []uint64 // bit i: a pre-token ends after text[i]
	tokens []uint64 // each pre-token of c tokens has its last c bits set
	before []uint32 // before[w]: bits set in tokens[:w]

	// What After put in front of every slice: tokens of the pre-tokens that no following text can change, and the
	// bytes after them.
	leadTokens int
	lead       []byte
}

// Measure tokenizes text.
func Measure(tok Tokenizer, text []byte) *Measured {
	words := (len(text) + 63) / 64
	m := &Measured{tok: tok, text: text,
		bounds: make([]uint64, words), tokens: make([]uint64, words), before: make([]uint32, words+1)}
	for i := 0; i < len(text); {
		end, _ := tok.next(text, i)
		c := tok.weigh(text[i:end])
		if c > end-i {
			panic("bug: a pre-token has more tokens than bytes")
		}
		m.bounds[(end-1)/64] |= 1 << ((end - 1) % 64)
		for j := end - c; j < end; j++ {
			m.tokens[j/64] |= 1 << (j % 64)
		}
		i = end
	}
	for w, t := range m.tokens {
		m.before[w+1] = m.before[w] + uint32(bits.OnesCount64(t))
	}
	return m
}

// After is the same text, each of whose slices is counted as if it stood after prefix: Count is then exactly that of
// prefix and slice in one. A prefix given before is replaced. The prefix is tokenized once, here; prefix may be changed
// afterwards.
func (m *Measured) After(prefix []byte) *Measured {
	a := *m
	a.leadTokens = 0
	i := 0
	for i < len(prefix) {
		end, open := m.tok.next(prefix, i)
		if open {
			break
		}
		a.leadTokens += m.tok.weigh(prefix[i:end])
		i = end
	}
	a.lead = append([]byte(nil), prefix[i:]...)
	return &a
}

// Len is the length of the text in bytes.
func (m *Measured) Len() int { return len(m.text) }

// Total is the number of tokens of the whole text, with the prefix.
func (m *Measured) Total() int { return m.Count(0, len(m.text)) }

// Count is the number of tokens of text[start:end], exactly the tokenizer's Count of that slice (after the prefix, where
// there is one). Start and end must be on UTF-8 boundaries. It tokenizes from start until its pre-tokens fall in with
// those of the whole text, and again near the end; between them it subtracts. So it takes time in the length of the
// pre-tokens at both ends, and never more than tokenizing the slice.
func (m *Measured) Count(start, end int) int {
	n, pos := m.enter(start, end)
	anchor := m.anchor(pos, end)
	view := m.text[:end]
	for pos < end {
		if pos < anchor && m.bound(pos) {
			n += m.upTo(anchor) - m.upTo(pos)
			pos, anchor = anchor, 0
			continue
		}
		e, _ := m.tok.next(view, pos)
		n += m.tok.weigh(view[pos:e])
		pos = e
	}
	return n
}

// leadWindow is how many bytes of the slice are first looked at together with the prefix: more than the pre-tokens at
// the seam take in nearly every text.
const leadWindow = 64

// enter counts the pre-tokens of prefix and text[start:end] that begin in the prefix. It returns where in the text the
// next one begins.
func (m *Measured) enter(start, end int) (n, pos int) {
	if len(m.lead) == 0 {
		return m.leadTokens, start
	}
	var space [4 * leadWindow]byte
	for window := leadWindow; ; window *= 4 {
		cut := m.floor(min(end, start+window))
		buf := append(append(space[:0], m.lead...), m.text[start:cut]...)
		if n, pos, ok := m.through(buf, cut == end); ok {
			return n, start + pos - len(m.lead)
		}
	}
}

// through counts pre-tokens of buf until one ends at or behind the prefix. It gives up where one depends on text after
// buf and buf is not all there is.
func (m *Measured) through(buf []byte, all bool) (n, pos int, ok bool) {
	n = m.leadTokens
	for pos < len(m.lead) {
		e, open := m.tok.next(buf, pos)
		if open && !all {
			return 0, 0, false
		}
		n += m.tok.weigh(buf[pos:e])
		pos = e
	}
	return n, pos, true
}

// anchor is the last end of a pre-token of the whole text, at most end, up to which pre-tokens from start on are the
// same when the text ends at end; start for none. That holds for a pre-token that ends by then and begins
// before the tail, in which the end of the text matters.
func (m *Measured) anchor(start, end int) int {
	tail := start + m.tok.tail(m.text[start:end])
	for b := m.last(start, end); b > start; {
		from := m.last(start, b-1)
		if b <= tail || from < tail {
			return b
		}
		b = from
	}
	return start
}

// bound tells whether a pre-token of the whole text begins or ends at i.
func (m *Measured) bound(i int) bool {
	return i == 0 || m.bounds[(i-1)/64]>>((i-1)%64)&1 != 0
}

// last is the last end of a pre-token in (start, end], else start.
func (m *Measured) last(start, end int) int {
	for end > start {
		w := (end - 1) / 64
		if b := m.bounds[w] << (63 - (end-1)%64); b != 0 {
			return max(start, end-bits.LeadingZeros64(b))
		}
		end = w * 64
	}
	return start
}

// upTo is the number of tokens of text[:i], i the end of a pre-token of the whole text.
func (m *Measured) upTo(i int) int {
	n := int(m.before[i/64])
	if i%64 != 0 {
		n += bits.OnesCount64(m.tokens[i/64] << (64 - i%64))
	}
	return n
}

// floor is the last UTF-8 boundary at or before i.
func (m *Measured) floor(i int) int {
	for i > 0 && i < len(m.text) && !utf8.RuneStart(m.text[i]) {
		i--
	}
	return i
}

// previous is where the character that ends at i starts.
func previous(text []byte, i int) int {
	_, w := utf8.DecodeLastRune(text[:i])
	return i - w
}
