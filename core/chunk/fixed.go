package chunk

import (
	"github.com/cleave-project/cleave/core/text"
)

// fixed packs the text as windows of the budget's tokens, less those of the title, each window beginning the policy's
// overlap before the end of the one before (A3). Ends are moved to grapheme boundaries, so windows may be a little
// shorter and overlaps a little smaller. Skipped spans are borders.
func (k *packer) fixed() error {
	k.tree = newTree(nil)
	for _, s := range k.areas() {
		if err := k.windows(trim(k.text, s)); err != nil {
			return err
		}
	}
	k.tearAll()
	return nil
}

func (k *packer) windows(area span) error {
	g := k.single(area, none)
	titled, bare := k.frame(&g, 0), k.bare(&g)
	for pos, last, done := area.start, area.start, area.start; pos < area.end; {
		if err := k.ctx.Err(); err != nil {
			return err
		}
		f, cut := titled, k.windowEnd(titled, pos, area.end)
		if !text.IsGraphemeBoundary(k.text, cut) { // the cluster may have room without the title
			f, cut = bare, k.windowEnd(bare, pos, area.end)
		}
		end := cut
		for end > pos && isBlank(k.text[end-1]) {
			end--
		}
		if cut <= last || end <= done {
			pos = k.goOn(pos, last)
			continue
		}
		g.span = span{pos, end}
		if err := k.emit(&g, f); err != nil {
			return err
		}
		last, done = trim(k.text, span{cut, area.end}).start, end
		pos = k.stepBack(pos, cut, last)
	}
	return nil
}

// goOn is where to go on after a window from pos that holds nothing new: without the overlap, which left no room, and
// then without the indentation.
func (k *packer) goOn(pos, last int) int {
	if pos < last {
		return last
	}
	ink := pos
	for isBlank(k.text[ink]) {
		ink++
	}
	return whole(k.text, ink, pos)
}

// windowEnd is where the window that begins at pos ends: at most at end, behind white space at its start.
func (k *packer) windowEnd(f *frame, pos, end int) int {
	for room := k.room; ; room-- {
		cut := f.counted.Fit(pos, room)
		if cut >= end {
			cut = end
		} else if b := text.GraphemeBoundary(k.text, cut); b > pos {
			cut = b
		}
		if f.counted.Count(pos, cut) <= k.room {
			return cut
		}
	}
}

// stepBack is where the next window begins: the overlap's tokens before cut, behind pos; next where there is none.
func (k *packer) stepBack(pos, cut, next int) int {
	if k.policy.Overlap == 0 || next >= cut+lookahead {
		return next
	}
	ends := k.tok.Offsets(k.scratch.cuts[:0], k.text[pos:cut])
	k.scratch.cuts = ends
	for i := max(0, len(ends)-k.policy.Overlap-1); i < len(ends); i++ {
		at := pos + ends[i]
		if at >= cut || !text.IsGraphemeBoundary(k.text, at) {
			continue
		}
		if at = trim(k.text, span{at, cut}).start; at > pos && at < cut && k.whole.Count(at, cut) <= k.policy.Overlap {
			return at
		}
	}
	return next
}

// tearAll notes every sentence, since windows end anywhere.
func (k *packer) tearAll() {
	for _, s := range k.areas() {
		for t := range text.Sentences(k.text[s.start:s.end]) {
			if t := trim(k.text, span{s.start + t.Start, s.start + t.End}); t.start < t.end {
				k.cut = append(k.cut, t)
			}
		}
	}
}
