package chunk

import "unicode/utf8"

// fit tells whether g is a chunk of at most limit tokens, and gives its frame. Several bodies do not join where their
// context would have to be dropped; a single unit drops context before it is cut.
func (k *packer) fit(g *group, limit int) (*frame, bool) {
	f := k.frame(g, k.room/share)
	if g.bodies > 1 && len(f.dropped) > 0 {
		return f, false
	}
	if k.fits(f, g.span, limit) {
		return f, true
	}
	if g.bodies > 1 || len(f.contexts) == 0 {
		return f, false
	}
	return k.squeeze(g, limit)
}

// squeeze makes room for g by dropping context.
func (k *packer) squeeze(g *group, limit int) (*frame, bool) {
	f := k.frame(g, 0)
	if !k.fits(f, g.span, limit) {
		return f, false
	}
	for spare := min(k.room/share, limit-f.counted.Count(g.start, g.end)); spare > 0; spare-- {
		if f := k.frame(g, spare); k.fits(f, g.span, limit) {
			return f, true
		}
	}
	return k.frame(g, 0), true
}

// fits tells whether s fits behind f within limit tokens.
//
// A range much longer than the limit is looked at in steps that double, so that a long one that does not fit costs no
// more than its part that would.
func (k *packer) fits(f *frame, s span, limit int) bool {
	// Sixteen bytes a token is more than any text but blanks has; the slack is for what the last token of a step
	// would join with.
	const bytesPerToken, slack = 16, 64
	for step := bytesPerToken*max(limit, 1) + slack; step < s.end-s.start; step *= 2 {
		if f.counted.Count(s.start, runeFloor(k.text, s.start+step)) > limit+slack {
			return false
		}
	}
	return f.counted.Count(s.start, s.end) <= limit
}

// runeFloor is the last UTF-8 boundary at or before i.
func runeFloor(txt []byte, i int) int {
	for i > 0 && i < len(txt) && !utf8.RuneStart(txt[i]) {
		i--
	}
	return i
}
