package control

import (
	"bytes"
	"encoding/json"
	"io"
)

// List is a list that is [] and never null in JSON.
type List[T any] []T

// MarshalJSON writes [] for nil.
func (l List[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return marshal([]T(l))
}

// Map is a map that is {} and never null in JSON.
type Map[V any] map[string]V

// MarshalJSON writes {} for nil.
func (m Map[V]) MarshalJSON() ([]byte, error) {
	if m == nil {
		return []byte("{}"), nil
	}
	return marshal(map[string]V(m))
}

// Attrs are a chunk's or unit's attributes.
type Attrs = Map[string]

// Optional is a string that is null in JSON where it is empty.
type Optional string

// MarshalJSON writes null for the empty string.
func (o Optional) MarshalJSON() ([]byte, error) {
	if o == "" {
		return []byte("null"), nil
	}
	return marshal(string(o))
}

// marshal is json.Marshal without HTML's escapes: the text of documents should stay readable.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	if err := Encode(&b, v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Encode writes v as one line of JSON, the way server and command line write all of it.
func Encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
