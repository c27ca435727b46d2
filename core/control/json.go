package control

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"
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
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Encode writes v as one line of JSON, the way server and command line write all of it. Characters that a terminal acts
// on are escaped, those that JSON itself does not ask for too: names and texts come from strangers, and JSON is read on
// terminals.
func Encode(w io.Writer, v any) error {
	data, err := marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(inert(data), '\n'))
	return err
}

// inert escapes DEL, the C1 controls and the controls of UAX #9 in JSON, where they stand in strings only. Data is
// returned as it is where there are none.
func inert(data []byte) []byte {
	var out []byte
	kept := 0 // bytes of data that out has
	for i := 0; i < len(data); {
		if data[i] < 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(data[i:])
		if acts(r) {
			out = append(out, data[kept:i]...)
			out = fmt.Appendf(out, `\u%04x`, r)
			kept = i + n
		}
		i += n
	}
	if kept == 0 {
		return data
	}
	return append(out, data[kept:]...)
}

func acts(r rune) bool {
	return r >= 0x7f && r <= 0x9f || r == 0x61c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
