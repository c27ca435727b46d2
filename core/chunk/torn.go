package chunk

import (
	"slices"
	"sort"

	"github.com/cleave-project/cleave/core/object"
)

// tear notes the sentence, or line of code, that a cut at a place goes through.
func (w *window) tear(at int) {
	if n := len(w.k.cut); n > 0 && w.k.cut[n-1].end >= at {
		return // noted already
	}
	if w.ways.repeat == byLine {
		start, end := at, at
		for start > w.area.start && !isBreak(w.k.text[start-1]) {
			start--
		}
		for end < w.area.end && !isBreak(w.k.text[end]) {
			end++
		}
		w.k.tear(span{start, end}, at)
		return
	}
	ends := w.sentenceEnds()
	i, whole := slices.BinarySearch(ends, at)
	if whole || i == len(ends) {
		return
	}
	start := w.area.start
	if i > 0 {
		start = ends[i-1]
	}
	w.k.tear(span{start, ends[i]}, at)
}

// tear notes a sentence that a cut at a place went through.
func (k *packer) tear(s span, at int) {
	s = trim(k.text, s)
	if at <= s.start || at >= s.end {
		return
	}
	if n := len(k.cut); n == 0 || k.cut[n-1].start < s.start {
		k.cut = append(k.cut, s)
	}
}

// torn is the sentences noted that no chunk holds whole. Of the chunks that begin by a sentence's start, the last one
// reaches furthest.
func (k *packer) torn() []object.Span {
	var out []object.Span
	for _, s := range k.cut {
		i := sort.Search(len(k.out), func(i int) bool { return int(k.out[i].Span.Start) > s.start })
		if i == 0 || int(k.out[i-1].Span.End) < s.end {
			out = append(out, s.object())
		}
	}
	return out
}
