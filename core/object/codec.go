package object

import (
	"bytes"
	"fmt"

	"github.com/fxamacker/cbor/v2"
)

// Kind is the first byte of an encoding. It keeps records of different kinds from ever having the same ID.
type Kind byte

// The kinds of records. A letter is never given to another kind.
const (
	KindText       Kind = 'T' // a block of a document's text
	KindDocument   Kind = 'D'
	KindChunks     Kind = 'C' // a page of chunks
	KindSegments   Kind = 'S' // a page of segments
	KindLeaf       Kind = 'L' // a tree page of entries
	KindInner      Kind = 'N' // a tree page of pages
	KindGeneration Kind = 'G'
)

// version is the second byte of an encoding: which history line below the bytes follow. Decode refuses others.
//
//	T 1  two bytes of prefix, then at most BlockSize bytes of text as they are
//	D 1  CBOR map with the integer keys of Document
//	C 1  CBOR array of maps with the integer keys of Chunk
//	S 1  CBOR array of maps with the integer keys of Segment
//	L 1  CBOR array of front-compressed items, see leafRow
//	N 1  CBOR array of level and front-compressed children, see innerRow
//	G 1  CBOR map with the integer keys of Generation
const version = 1

// prefixLen is the length of kind and version.
const prefixLen = 2

// codec is the one encoding that hashes rest on: RFC 8949 section 4.2.1, core deterministic encoding. Its modes are
// immutable and safe for concurrent use.
type codec struct {
	enc cbor.EncMode
	dec cbor.DecMode
}

// maxElements bounds what a decoder accepts in one array or map. A document of 1 GiB has far fewer sentences.
const maxElements = 1 << 24

var canonical = newCodec()

func newCodec() codec {
	enc, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		panic("bug: encoding options: " + err.Error())
	}
	dec, err := cbor.DecOptions{
		DupMapKey:         cbor.DupMapKeyEnforcedAPF,
		IndefLength:       cbor.IndefLengthForbidden,
		TagsMd:            cbor.TagsForbidden,
		ExtraReturnErrors: cbor.ExtraDecErrorUnknownField,
		UTF8:              cbor.UTF8RejectInvalid,
		MaxArrayElements:  maxElements,
		MaxMapPairs:       maxElements,
	}.DecMode()
	if err != nil {
		panic("bug: decoding options: " + err.Error())
	}
	return codec{enc: enc, dec: dec}
}

// encode writes v as a record of kind k. A string that is not UTF-8 is an error, never a record that cannot be read.
func encode[T any](k Kind, v T) ([]byte, error) {
	buf := bytes.NewBuffer([]byte{byte(k), version})
	if err := canonical.enc.NewEncoder(buf).Encode(v); err != nil {
		return nil, fmt.Errorf("encode record %q: %w", byte(k), err)
	}
	var back T
	if err := canonical.dec.Unmarshal(buf.Bytes()[prefixLen:], &back); err != nil {
		return nil, fmt.Errorf("encode record %q: %w", byte(k), err)
	}
	return buf.Bytes(), nil
}

// decode reads a record of kind k and refuses another kind or version, trailing bytes, unknown fields and every
// encoding that encode would not have written.
func decode[T any](k Kind, data []byte) (T, error) {
	var v T
	if err := checkPrefix(k, data); err != nil {
		return v, err
	}
	body := data[prefixLen:]
	if err := canonical.dec.Unmarshal(body, &v); err != nil {
		return v, fmt.Errorf("decode record %q: %w", byte(k), err)
	}
	again, err := canonical.enc.Marshal(v)
	if err != nil {
		return v, fmt.Errorf("decode record %q: %w", byte(k), err)
	}
	if !bytes.Equal(again, body) {
		var zero T
		return zero, fmt.Errorf("decode record %q: not the canonical encoding", byte(k))
	}
	return v, nil
}

func checkPrefix(k Kind, data []byte) error {
	switch {
	case len(data) < prefixLen:
		return fmt.Errorf("record %q: %d bytes", byte(k), len(data))
	case Kind(data[0]) != k:
		return fmt.Errorf("record of kind %q where %q belongs", data[0], byte(k))
	case data[1] != version:
		return fmt.Errorf("record %q of version %d, this program reads %d", byte(k), data[1], version)
	}
	return nil
}
