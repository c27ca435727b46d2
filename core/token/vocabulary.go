package token

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"hash/maphash"
)

// vocabulary maps the bytes of a token to its rank, which is its number too. A map[string]int of 200,000 entries would
// take some 15 MB and a pointer for each; this one is flat arrays, 3 to 7 MB.
type vocabulary struct {
	bytes   []byte   // all tokens, one after the other
	start   []uint32 // token i is bytes[start[i]:start[i+1]]
	slots   []uint64 // open addressing by hash: its upper half, then a token's number + 1; 0 for a free slot
	pairs   []uint32 // ranks of the tokens of two bytes, by these bytes: merging begins with a look at every pair
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
		slots: make([]uint64, slotsFor(n)),
		pairs: make([]uint32, 1<<16),
		seed:  maphash.MakeSeed(),
	}
	for i := range v.pairs {
		v.pairs[i] = none
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
	if len(token) == 2 {
		v.pairs[pair(token)] = id - 1
	}
	mask, hash := uint64(len(v.slots)-1), maphash.Bytes(v.seed, token)
	at := hash & mask
	for v.slots[at] != 0 {
		at = (at + 1) & mask
	}
	v.slots[at] = hash&hashHalf | uint64(id)
	return nil
}

// hashHalf is the half of a hash that a slot keeps: tokens that differ are nearly always told apart without their bytes.
const hashHalf = 0xffffffff << 32

func pair(token []byte) int { return int(token[0])<<8 | int(token[1]) }

// none is the rank of bytes that are no token: larger than every rank.
const none = ^uint32(0)

// rank is the rank of the token with these bytes, or none.
func (v *vocabulary) rank(token []byte) uint32 {
	if len(token) > v.longest {
		return none
	}
	if len(token) == 2 {
		return v.pairs[pair(token)]
	}
	mask, hash := uint64(len(v.slots)-1), maphash.Bytes(v.seed, token)
	for at := hash & mask; v.slots[at] != 0; at = (at + 1) & mask {
		if slot := v.slots[at]; slot&hashHalf == hash&hashHalf {
			id := uint32(slot) - 1
			if string(v.bytes[v.start[id]:v.start[id+1]]) == string(token) {
				return id
			}
		}
	}
	return none
}
