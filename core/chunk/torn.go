package chunk

import (
	"sort"

	"github.com/cleave-project/cleave/core/object"
)

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
