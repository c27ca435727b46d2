package object

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// ID is the SHA-256 of an object's canonical encoding, or of a file's raw bytes where it is a revision.
type ID [sha256.Size]byte

// Sum is the ID of data.
func Sum(data []byte) ID { return sha256.Sum256(data) }

// ParseID reads the 64 hexadecimal digits that String writes.
func ParseID(s string) (ID, error) {
	var id ID
	if len(s) != hex.EncodedLen(len(id)) {
		return ID{}, fmt.Errorf("id %q: %d characters, not %d", s, len(s), hex.EncodedLen(len(id)))
	}
	if _, err := hex.Decode(id[:], []byte(s)); err != nil {
		return ID{}, fmt.Errorf("id %q: %w", s, err)
	}
	return id, nil
}

func (id ID) String() string { return hex.EncodeToString(id[:]) }

// IsZero tells whether id is the zero ID, which names no object.
func (id ID) IsZero() bool { return id == ID{} }
