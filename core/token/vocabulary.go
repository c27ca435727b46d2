package token

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"hash/maphash"
)

// vocabulary maps the bytes of a token to its rank, which is its number too. A map[string]int of 200,000 entries would
// take some 15 MB and a pointer for each; this one is three flat arrays, about 4 MB.
type vocabulary struct {
	bytes   []byte   // all tokens, one after the other
	start   []uint32 // token i is bytes[start[i]:start[i+1]]
	slots   []uint32 // open addressing by hash: a token's number + 1, 0 for a free slot
	seed    maphash.Seed
	longest int // bytes of the longest token
}

// parseVocabulary reads tiktoken's file format: on each line a token in base64, a space and its rank. The published
// files number their tokens in order, without a gap.
func parseVocabulary(file []byte) (*vocabulary, error) {
	n := bytes.Count(file, []byte{'\n'})
	v := &vocabulary{
		bytes: make([]byte, 0, len(file)/2),
		start: make([]uint32, 1, n+1),
		slots: make([]uint32, slotsFor(n)),
		seed:  maphash.MakeSeed(),
	}
	for line := range bytes.Lines(file) {
		code, rank, ok := bytes.Cut(bytes.TrimSuffix(line, []byte{'\n'}), []byte{' '})
		if !ok || !isNumber(rank, len(v.start)-1) {
			return nil, fmt.Errorf("line %d: want a token in base64 and the rank %d", len(v.start), len(v.start)-1)
		}
		if err := v.add(code); err != nil {
			return nil, fmt.Errorf("line %d: %w", len(v.start), err)
		}
	}
	return v, nil
}

// slotsFor keeps the table at most half full, so that a search looks at few slots.
func slotsFor(n int) int {
	size := 1
	for size < 2*n {
		size *= 2
	}
	return size
}

func isNumber(digits []byte, want int) bool {
	n := 0
	for _, d := range digits {
		if d < '0' || d > '9' || n > want {
			return false
		}
		n = 10*n + int(d-'0')
	}
	return len(digits) > 0 && n == want
}

func (v *vocabulary) add(code []byte) error {
	from := len(v.bytes)
	var err error
	if v.bytes, err = base64.StdEncoding.AppendDecode(v.bytes, code); err != nil {
		return err
	}
	token := v.bytes[from:]
	id := uint32(len(v.start))
	v.start = append(v.start, uint32(len(v.bytes)))
	v.longest = max(v.longest, len(token))
	mask := uint64(len(v.slots) - 1)
	h := maphash.Bytes(v.seed, token) & mask
	for v.slots[h] != 0 {
		h = (h + 1) & mask
	}
	v.slots[h] = id
	return nil
}

// none is the rank of bytes that are no token: larger than every rank.
const none = ^uint32(0)

// rank is the rank of the token with these bytes, or none.
func (v *vocabulary) rank(token []byte) uint32 {
	if len(token) > v.longest {
		return none
	}
	mask := uint64(len(v.slots) - 1)
	for h := maphash.Bytes(v.seed, token) & mask; v.slots[h] != 0; h = (h + 1) & mask {
		id := v.slots[h] - 1
		if string(v.bytes[v.start[id]:v.start[id+1]]) == string(token) {
			return id
		}
	}
	return none
}
