package token

// Byte pair merging: a pre-token starts as single bytes; of all neighbouring parts whose joined bytes are a token, the
// pair of the lowest rank, of equals the first, is joined, until no pair is left.

// shortPiece is the length in bytes up to which looking for the lowest pair in a small array beats a heap. Nearly all
// pre-tokens are shorter.
const shortPiece = 100

// merge calls part with the end of each token of piece, in order, and returns their number.
func (v *vocabulary) merge(piece []byte, part func(end int)) int {
	if len(piece) <= shortPiece {
		return v.mergeShort(piece, part)
	}
	m := newMerger(v, piece)
	m.run()
	return m.parts(part)
}

func (v *vocabulary) mergeShort(piece []byte, part func(end int)) int {
	var start [shortPiece + 1]uint8 // start[i] is where part i starts; the last is the end
	var rank [shortPiece + 1]uint32 // rank[i] is that of parts i and i+1 joined
	n := len(piece)
	for i := range n + 1 {
		start[i], rank[i] = uint8(i), none
	}
	join := func(i int) uint32 {
		if i+2 > n {
			return none
		}
		return v.rank(piece[start[i]:start[i+2]])
	}
	for i := range n {
		rank[i] = join(i)
	}
	for {
		best := 0
		for i := 1; i < n; i++ {
			if rank[i] < rank[best] {
				best = i
			}
		}
		if rank[best] == none {
			break
		}
		copy(start[best+1:n], start[best+2:n+1])
		copy(rank[best+1:n], rank[best+2:n+1])
		n--
		rank[best] = join(best)
		if best > 0 {
			rank[best-1] = join(best - 1)
		}
	}
	if part != nil {
		for i := range n {
			part(int(start[i+1]))
		}
	}
	return n
}

// merger merges long pre-tokens. Parts are a linked list over the bytes where they start; a heap holds pairs by rank
// and position. A pair that has changed since it was put on the heap is left there and passed over when it comes up.
// So the work is that of at most three heap entries a byte, where looking through all pairs after each merge is
// quadratic: 24 s for 200 KB of one letter.
type merger struct {
	v     *vocabulary
	piece []byte
	next  []int32 // where the part after the one that starts here starts
	prev  []int32
	rank  []uint32 // of the part that starts here joined with the next; none for a start that was merged away
	heap  []uint64 // rank in the upper half, start in the lower
	steps int      // entries taken off the heap, for the test of linear work
}

func newMerger(v *vocabulary, piece []byte) *merger {
	n := len(piece)
	m := &merger{v: v, piece: piece, next: make([]int32, n), prev: make([]int32, n), rank: make([]uint32, n)}
	for i := range n {
		m.next[i], m.prev[i], m.rank[i] = int32(i+1), int32(i-1), none
	}
	for i := range n {
		m.renew(int32(i))
	}
	return m
}

// renew sets the rank of the pair that starts at i and puts it on the heap.
func (m *merger) renew(i int32) {
	m.rank[i] = none
	if j := m.next[i]; int(j) < len(m.piece) {
		m.rank[i] = m.v.rank(m.piece[i:m.next[j]])
	}
	if m.rank[i] != none {
		m.push(uint64(m.rank[i])<<32 | uint64(i))
	}
}

func (m *merger) run() {
	for len(m.heap) > 0 {
		m.steps++
		top := m.pop()
		i := int32(top & 0xffffffff)
		if m.rank[i] != uint32(top>>32) {
			continue
		}
		j := m.next[i]
		m.rank[j] = none
		m.next[i] = m.next[j]
		if k := m.next[i]; int(k) < len(m.piece) {
			m.prev[k] = i
		}
		m.renew(i)
		if h := m.prev[i]; h >= 0 {
			m.renew(h)
		}
	}
}

func (m *merger) parts(part func(end int)) int {
	n := 0
	for i := 0; i < len(m.piece); i = int(m.next[i]) {
		n++
		if part != nil {
			part(int(m.next[i]))
		}
	}
	return n
}

func (m *merger) push(x uint64) {
	h := append(m.heap, x)
	i := len(h) - 1
	for i > 0 && h[(i-1)/2] > x {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = x
	m.heap = h
}

func (m *merger) pop() uint64 {
	h := m.heap
	top, x := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	m.heap = h
	for i := 0; len(h) > 0; {
		c := 2*i + 1
		if c+1 < len(h) && h[c+1] < h[c] {
			c++
		}
		if c >= len(h) || x <= h[c] {
			h[i] = x
			break
		}
		h[i] = h[c]
		i = c
	}
	return top
}
