package object

import "fmt"

// BlockSize is the most bytes of text that one block holds. It bounds what a read of one chunk loads and verifies.
const BlockSize = 64 << 10

// ChunksPerPage and SegmentsPerPage keep a page near 16 KiB, so that one chunk of a long document is read without the
// others and a record lists few pages.
const (
	ChunksPerPage   = 64
	SegmentsPerPage = 512
)

// EncodeDocument writes a document record. Its Sum is the document's ID.
func EncodeDocument(d Document) ([]byte, error) { return encode(KindDocument, d) }

// DecodeDocument reads what EncodeDocument writes and refuses everything else.
func DecodeDocument(data []byte) (Document, error) { return decode[Document](KindDocument, data) }

// EncodeGeneration writes a generation record. Its Sum is what a head names.
func EncodeGeneration(g Generation) ([]byte, error) { return encode(KindGeneration, g) }

// DecodeGeneration reads what EncodeGeneration writes and refuses everything else.
func DecodeGeneration(data []byte) (Generation, error) {
	return decode[Generation](KindGeneration, data)
}

// EncodeChunks writes one page of 1 to ChunksPerPage chunks.
func EncodeChunks(cs []Chunk) ([]byte, error) {
	if err := checkLen("chunks", len(cs), ChunksPerPage); err != nil {
		return nil, err
	}
	return encode(KindChunks, cs)
}

// DecodeChunks reads what EncodeChunks writes and refuses everything else.
func DecodeChunks(data []byte) ([]Chunk, error) {
	cs, err := decode[[]Chunk](KindChunks, data)
	if err != nil {
		return nil, err
	}
	return cs, checkLen("chunks", len(cs), ChunksPerPage)
}

// EncodeSegments writes one page of 1 to SegmentsPerPage segments.
func EncodeSegments(ss []Segment) ([]byte, error) {
	if err := checkLen("segments", len(ss), SegmentsPerPage); err != nil {
		return nil, err
	}
	return encode(KindSegments, ss)
}

// DecodeSegments reads what EncodeSegments writes and refuses everything else.
func DecodeSegments(data []byte) ([]Segment, error) {
	ss, err := decode[[]Segment](KindSegments, data)
	if err != nil {
		return nil, err
	}
	return ss, checkLen("segments", len(ss), SegmentsPerPage)
}

// EncodeText writes one block of 1 to BlockSize bytes of text, which need not be UTF-8. The result shares no memory
// with text.
func EncodeText(text []byte) ([]byte, error) {
	if err := checkLen("bytes", len(text), BlockSize); err != nil {
		return nil, err
	}
	return append([]byte{byte(KindText), version}, text...), nil
}

// DecodeText returns the text in a block. The result shares memory with data.
func DecodeText(data []byte) ([]byte, error) {
	if err := checkPrefix(KindText, data); err != nil {
		return nil, err
	}
	text := data[prefixLen:]
	return text, checkLen("bytes", len(text), BlockSize)
}

func checkLen(what string, n, limit int) error {
	if n < 1 || n > limit {
		return fmt.Errorf("page of %d %s, not 1 to %d", n, what, limit)
	}
	return nil
}
