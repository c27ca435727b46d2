package index

import (
	"encoding/binary"
	"fmt"

	api "github.com/blevesearch/bleve_index_api"
)

// lengths sums up, over all rows ever written into an index, how many terms each field has. BM25 needs the average; rows
// that went out since do not move it enough to matter, and counting them out would need their words again.
type lengths struct {
	rows              uint64
	text, crumb, path uint64
}

// average is the mean length of a field in terms, at least 1.
func (l lengths) average(field string) float64 {
	sum := l.text
	switch field {
	case crumbField:
		sum = l.crumb
	case pathField:
		sum = l.path
	}
	return max(1, float64(sum)/max(1, float64(l.rows)))
}

// add takes in a row that has been analysed.
func (l *lengths) add(r *row) {
	l.rows++
	l.text += uint64(r.fields[1].length)
	l.crumb += uint64(r.fields[2].length)
	l.path += uint64(r.fields[3].length)
}

func (l lengths) encode() []byte {
	data := binary.BigEndian.AppendUint64(nil, l.rows)
	data = binary.BigEndian.AppendUint64(data, l.text)
	data = binary.BigEndian.AppendUint64(data, l.crumb)
	return binary.BigEndian.AppendUint64(data, l.path)
}

func lengthsOf(reader api.IndexReader) (lengths, error) {
	data, err := reader.GetInternal([]byte(lengthsKey))
	if err != nil {
		return lengths{}, fmt.Errorf("field lengths: %w", err)
	}
	if len(data) == 0 {
		return lengths{}, nil
	}
	if len(data) != 32 {
		return lengths{}, &DamageError{What: fmt.Sprintf("field lengths of %d bytes", len(data))}
	}
	word := func(i int) uint64 { return binary.BigEndian.Uint64(data[8*i:]) }
	return lengths{rows: word(0), text: word(1), crumb: word(2), path: word(3)}, nil
}
