package object

import (
	"crypto/sha256"
	"encoding/binary"
)

// chunkIDDomain keeps chunk IDs apart from every other hash; its number changes with the framing below.
const chunkIDDomain = "cleave chunk 1"

// ChunkID names a chunk at its place: the same bytes at the same path of the same source under the same document
// record and tenant give the same ID anywhere (I7). Every variable part is preceded by its length, so no two
// different places give the hash the same bytes.
func ChunkID(tenant string, source Source, path Path, doc ID, start, end int64) ID {
	const fixed = 4*8 + len(ID{}) + 2*8
	b := make([]byte, 0, fixed+len(chunkIDDomain)+len(tenant)+len(source)+len(path))
	for _, s := range [...]string{chunkIDDomain, tenant, string(source), string(path)} {
		b = binary.BigEndian.AppendUint64(b, uint64(len(s)))
		b = append(b, s...)
	}
	b = append(b, doc[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(start))
	b = binary.BigEndian.AppendUint64(b, uint64(end))
	return sha256.Sum256(b)
}
