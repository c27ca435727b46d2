package store

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// squeezedMark begins the stored form of bytes that are compressed. No object kind and no other mark has this letter;
// an ID is the hash of the bytes before compression.
const squeezedMark = 'Z'

const (
	// squeezeFrom: shorter values gain nothing, since a zstd frame has some 10 bytes of its own.
	squeezeFrom = 128
	// squeezeWindow is no smaller than a text block, and bounds what each encoder keeps.
	squeezeWindow = 128 << 10
	// squeezeMost bounds what one stored value may expand to, against damage that looks like a huge frame.
	squeezeMost = 1 << 30
)

// squeezer compresses values before Badger sees them: once, on the goroutine that puts, instead of in every
// compaction, where Badger's own compression was measured to hold five times the memory.
type squeezer struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

func newSqueezer() (squeezer, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(squeezeWindow),
		zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true)) // no checksum: the ID is one
	if err != nil {
		return squeezer{}, fmt.Errorf("zstd: %w", err)
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(squeezeMost))
	if err != nil {
		return squeezer{}, fmt.Errorf("zstd: %w", err)
	}
	return squeezer{enc: enc, dec: dec}, nil
}

// squeeze is the stored form of data: compressed if that is shorter, else data itself.
func (q squeezer) squeeze(data []byte) []byte {
	if len(data) < squeezeFrom {
		return data
	}
	out := q.enc.EncodeAll(data, append(make([]byte, 0, len(data)/2), squeezedMark))
	if len(out) >= len(data) {
		return data
	}
	return out
}

// expand undoes squeeze.
func (q squeezer) expand(stored []byte) ([]byte, error) {
	if len(stored) == 0 || stored[0] != squeezedMark {
		return stored, nil
	}
	return q.dec.DecodeAll(stored[1:], nil)
}

func (q squeezer) close() {
	_ = q.enc.Close() // it has no writer, so there is nothing that could fail
	q.dec.Close()
}
