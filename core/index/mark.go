package index

import (
	"encoding/binary"
	"fmt"

	api "github.com/blevesearch/bleve_index_api"

	"github.com/cleave-project/cleave/core/object"
)

// Mark names the generation all of whose rows the index holds. The zero Mark is that of a new index.
type Mark struct {
	Number uint64
	Root   object.ID

	analyzer uint32
}

// of tells whether the mark is generation g's.
func (m Mark) of(g object.Generation) bool { return m.Number == g.Number && m.Root == g.Root }

// The engine keeps a few values beside the rows, written in one step with a batch.
const (
	markKey    = "mark"    // analyzer version (4 bytes), number (8), root (32)
	lengthsKey = "lengths" // see lengths
)

func (m Mark) encode() []byte {
	data := binary.BigEndian.AppendUint32(nil, AnalyzerVersion)
	data = binary.BigEndian.AppendUint64(data, m.Number)
	return append(data, m.Root[:]...)
}

func decodeMark(data []byte) (Mark, error) {
	if len(data) == 0 {
		return Mark{}, nil
	}
	if len(data) != 12+len(object.ID{}) {
		return Mark{}, &DamageError{What: fmt.Sprintf("mark of %d bytes", len(data))}
	}
	m := Mark{analyzer: binary.BigEndian.Uint32(data), Number: binary.BigEndian.Uint64(data[4:])}
	copy(m.Root[:], data[12:])
	return m, nil
}

// Mark returns the mark that searches see.
func (x *Index) Mark() (Mark, error) {
	reader, err := x.engine.Reader()
	if err != nil {
		return Mark{}, fmt.Errorf("mark of index %s: %w", x.dir, err)
	}
	defer reader.Close()
	return markOf(reader)
}

func markOf(reader api.IndexReader) (Mark, error) {
	data, err := reader.GetInternal([]byte(markKey))
	if err != nil {
		return Mark{}, fmt.Errorf("mark: %w", err)
	}
	return decodeMark(data)
}
