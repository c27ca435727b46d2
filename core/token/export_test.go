package token

import "unicode/utf8"

// EncodeRanges is Encode with the bytes each token was made from.
func (w *WordPiece) EncodeRanges(text []byte) (ids []int, ranges [][2]int) {
	ids, ranges = []int{}, [][2]int{}
	w.each(text, func(id, start, end int) {
		ids = append(ids, id)
		ranges = append(ranges, [2]int{start, end})
	})
	return ids, ranges
}

// MergeSteps is how many heap entries merging one pre-token by the heap takes.
func (b *BPE) MergeSteps(piece []byte) int {
	m := newMerger(b.vocab, piece)
	m.run()
	return m.steps
}

// MergeLong and MergeShort are the token ends of a pre-token by either way of merging.
func (b *BPE) MergeLong(piece []byte) (ends []int) {
	m := newMerger(b.vocab, piece)
	m.run()
	m.parts(func(e int) { ends = append(ends, e) })
	return ends
}

func (b *BPE) MergeShort(piece []byte) (ends []int) {
	b.vocab.mergeShort(piece, func(e int) { ends = append(ends, e) })
	return ends
}

// NormalRunes is how many characters WordPiece's normalizer makes of s.
func NormalRunes(s string) int { return utf8.RuneCount(appendNormal(nil, []byte(s))) }

// Load reads an encoding anew.
func Load(name string) error {
	_, err := loadEncoding(name, nextO200K)
	return err
}
