package token

import "unicode/utf8"

// fitReach is how many bytes beyond the end found by bisection Fit looks for a later one that fits too: longer than
// nearly every pre-token.
const fitReach = 64

// Fit is the largest end found such that Count(start, end) <= max; end is on a UTF-8 boundary, start must be. It is
// start where nothing more fits, even where the prefix alone has more than max tokens: ask Count(start, start).
//
// The result always keeps the budget, and one character more does not. It need not be the very largest: a longer text can
// have fewer tokens, so the ends that fit are not all on one side. Fit looks for a switch from fitting to not fitting and
// then tries each end of the pre-tokens that follow, within a few dozen bytes, longest first; an end beyond those is not
// found. Where pre-tokens are short it counts a few dozen seams. In a long one it tokenizes the result a few times,
// however long the pre-token goes on.
func (m *Measured) Fit(start, max int) int {
	lo, hi := m.gallop(start, max)
	for {
		if hi-lo > fitReach && m.last(lo, hi-1) == lo {
			return m.fitInWord(start, lo, hi, max)
		}
		mid := m.floor(lo + (hi-lo)/2)
		if mid <= lo {
			mid = m.after(lo)
		}
		if mid >= hi {
			return m.stretch(start, lo, max)
		}
		if m.Count(start, mid) <= max {
			lo = mid
		} else {
			hi = mid
		}
	}
}

// fitInWord goes on from lo, which fits, in one long pre-token of which hi does not fit. Byte pair encodings have the
// property that text up to the end of one of its tokens has the tokens up to there. So the end of the last token that
// the budget has room for is where to look, and characters after it while they fit.
func (m *Measured) fitInWord(start, lo, hi, max int) int {
	hi = min(hi, len(m.text))
	from := m.last(start, lo)
	ends := m.tok.Offsets(nil, m.text[from:hi])
	if room := max - m.Count(start, from); room > 0 && room <= len(ends) {
		end := m.floor(from + ends[room-1])
		if end > lo && m.Count(start, end) <= max {
			lo = end
		}
	}
	for end := m.after(lo); end < hi && m.Count(start, end) <= max; end = m.after(lo) {
		lo = end
	}
	return lo
}

// gallop finds an end that fits and a later one that does not, or is behind the text, in steps that double.
func (m *Measured) gallop(start, max int) (lo, hi int) {
	lo = start
	// Four bytes a token is about what English has.
	for step := 4*max + 16; lo < len(m.text); step *= 2 {
		end := len(m.text)
		if step < end-start {
			end = m.floor(start + step)
		}
		if m.Count(start, end) > max {
			return lo, end
		}
		lo = end
	}
	return lo, len(m.text) + 1
}

// stretch moves end on as long as one of the ends in the next pre-token fits.
func (m *Measured) stretch(start, end, max int) int {
	for {
		next := m.within(start, end, m.nextBound(end), max)
		if next == end {
			return end
		}
		end = next
	}
}

// within is the last end in (end, limit] that fits, or end.
func (m *Measured) within(start, end, limit, max int) int {
	for e := limit; e > end; e = m.floor(e - 1) {
		if m.Count(start, e) <= max {
			return e
		}
	}
	return end
}

// nextBound is the next end of a pre-token after i, or i where there is none within fitReach.
func (m *Measured) nextBound(i int) int {
	for e := i + 1; e <= min(i+fitReach, len(m.text)); e++ {
		if m.bound(e) {
			return e
		}
	}
	return i
}

// after is the UTF-8 boundary after i, or one behind the text.
func (m *Measured) after(i int) int {
	if i >= len(m.text) {
		return i + 1
	}
	_, w := utf8.DecodeRune(m.text[i:])
	return i + w
}
