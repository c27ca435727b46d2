package chunk

import "slices"

// repeat is the block at which the next chunk begins: next, or an earlier one behind first, so that whole blocks of at
// most the policy's overlap are repeated (A4). They must leave room for the next block.
func (k *packer) repeat(bs []block, first, next int) int {
	if next >= len(bs) {
		return next
	}
	n := next
	for n-1 > first && k.overlaps(span{bs[n-1].start(), bs[next-1].body.text.end}) {
		n--
	}
	for ; n < next; n++ {
		g := k.groupOf(&bs[n])
		for j := n + 1; j <= next; j++ {
			g = k.with(g, &bs[j])
		}
		if _, ok := k.fit(&g, k.room); ok {
			return n
		}
	}
	return next
}

// overlaps tells whether s is little enough to be repeated.
func (k *packer) overlaps(s span) bool { return k.whole.Count(s.start, s.end) <= k.policy.Overlap }

// repeat is where the piece after p begins: at next, or at an earlier sentence (line of code), so that whole ones of at
// most the policy's overlap are repeated. There is no overlap where p ends inside one, and none where it would leave no
// room for the next one.
func (w *window) repeat(p piece, next int) int {
	if w.k.policy.Overlap == 0 || !w.ways.repeat.coarse() {
		return next
	}
	starts := w.repeatable(p)
	for len(starts) > 0 && !w.k.overlaps(span{starts[0], p.group.end}) {
		starts = starts[1:]
	}
	if len(starts) == 0 {
		return next
	}
	end := w.wholeFrom(next)
	for _, s := range starts {
		g := w.base
		g.span = span{s, end}
		if w.k.fits(w.k.frame(&g, w.k.room/share), g.span, w.k.room) {
			return s
		}
	}
	return next
}

// repeatable is where sentences (lines) begin in a piece that ends with a whole one, behind its own start.
func (w *window) repeatable(p piece) []int {
	from := max(p.group.start, w.area.start)
	cuts := w.cutsAt(nil, w.ways.repeat, from, p.cut)
	if len(cuts) == 0 || cuts[len(cuts)-1] != p.cut {
		return nil
	}
	starts := cuts[:0]
	for _, c := range cuts[:len(cuts)-1] {
		s := trim(w.k.text, span{c, p.cut}).start
		if s > p.group.start && s < p.group.end && whole(w.k.text, s, -1) == s {
			starts = append(starts, s)
		}
	}
	return slices.Compact(starts)
}

// wholeFrom is where the sentence (line) that begins at next ends.
func (w *window) wholeFrom(next int) int {
	end := w.area.end
	if w.ways.repeat == byLine {
		for i := next; i < end; i++ {
			if isBreak(w.k.text[i]) {
				return i
			}
		}
		return end
	}
	ends := w.sentenceEnds()
	i, found := slices.BinarySearch(ends, next)
	if found {
		i++
	}
	if i < len(ends) {
		end = ends[i]
	}
	return max(trim(w.k.text, span{next, end}).end, next)
}
