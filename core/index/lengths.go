package index

import (
	"encoding/binary"
	"fmt"

	api "github.com/blevesearch/bleve_index_api"
)

// lengths sums up how many terms each field has, over the rows of one generation. BM25 needs the averages. The sums of
// the marked generation are kept beside the mark and move with it, so that rows which wait for Sweep, or belong to
// another generation, do not show in the scores (I8, I11).
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

func (l *lengths) add(o lengths) {
	l.rows += o.rows
	l.text += o.text
	l.crumb += o.crumb
	l.path += o.path
}

// remove takes rows out that were added before.
func (l *lengths) remove(o lengths) {
	l.rows -= o.rows
	l.text -= o.text
	l.crumb -= o.crumb
	l.path -= o.path
}

func (l lengths) encode() []byte {
	data := binary.BigEndian.AppendUint64(nil, l.rows)
	data = binary.BigEndian.AppendUint64(data, l.text)
	data = binary.BigEndian.AppendUint64(data, l.crumb)
	return binary.BigEndian.AppendUint64(data, l.path)
}

// lengthsOf are the sums of the marked generation.
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

// encodeRow is what a row stores of its own lengths: three numbers, a few bytes.
func (l lengths) encodeRow() []byte {
	data := binary.AppendUvarint(nil, l.text)
	data = binary.AppendUvarint(data, l.crumb)
	return binary.AppendUvarint(data, l.path)
}

func decodeRow(data []byte) (lengths, bool) {
	l := lengths{rows: 1}
	for _, sum := range []*uint64{&l.text, &l.crumb, &l.path} {
		x, n := binary.Uvarint(data)
		if n <= 0 {
			return lengths{}, false
		}
		*sum, data = x, data[n:]
	}
	return l, len(data) == 0
}

// rowLengths reads the lengths that a row stores. False: there is no such row.
func rowLengths(reader api.IndexReader, key string) (l lengths, there bool, err error) {
	defer recoverDamage(&err)
	doc, err := reader.Document(key)
	if err != nil {
		return lengths{}, false, &DamageError{What: err.Error()}
	}
	if doc == nil {
		return lengths{}, false, nil
	}
	ok := false
	doc.VisitFields(func(f api.Field) {
		if f.Name() == lengthField {
			l, ok = decodeRow(f.Value())
		}
	})
	if !ok {
		return lengths{}, false, &DamageError{What: "a row without its lengths"}
	}
	return l, true, nil
}
