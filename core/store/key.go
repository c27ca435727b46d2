package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"github.com/cleave-project/cleave/core/object"
)

var errSeal = errors.New("its bytes are not what was written")

func objectKey(id object.ID) []byte    { return append([]byte("o/"), id[:]...) }
func outlineKey(id object.ID) []byte   { return append([]byte("u/"), id[:]...) }
func checksumKey(doc object.ID) []byte { return append([]byte("d/"), doc[:]...) }
func headKey(s object.Source) []byte   { return append([]byte("h/"), s...) }

func generationKey(s object.Source, number uint64) []byte {
	return binary.BigEndian.AppendUint64(sourceKey("g/", s), number)
}

// sourceKey is the prefix of all keys of a source in one of the tables. No source name holds a slash.
func sourceKey(table string, s object.Source) []byte {
	return append(append([]byte(table), s...), '/')
}

func pathKey(table string, s object.Source, p object.Path) []byte {
	return append(sourceKey(table, s), p...)
}

// partKey is where part i of a value in parts lies: beside the value's own key, longer by four bytes.
func partKey(key []byte, i int) []byte {
	return binary.BigEndian.AppendUint32(bytes.Clone(key), uint32(i))
}

// sealLen is the length of a seal. It is there against damage, not against forgery.
const sealLen = 8

// seal guards a value that has a key of its own and so no hash in its name.
func seal(key, data []byte) []byte {
	sum := sealSum(key, data)
	return append(sum[:sealLen:sealLen], data...)
}

func unseal(key, value []byte) ([]byte, error) {
	if len(value) < sealLen {
		return nil, errSeal
	}
	sum := sealSum(key, value[sealLen:])
	if !bytes.Equal(sum[:sealLen], value[:sealLen]) {
		return nil, errSeal
	}
	return value[sealLen:], nil
}

func sealSum(key, data []byte) object.ID {
	b := make([]byte, 0, 512)
	b = binary.BigEndian.AppendUint32(b, uint32(len(key)))
	b = append(append(b, key...), data...)
	return sha256.Sum256(b)
}
