package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/BurntSushi/toml"
)

// parseTOML reads a document into dotted keys.
func parseTOML(body []byte) (map[string]string, error) {
	doc := map[string]any{}
	if _, err := toml.Decode(string(body), &doc); err != nil {
		return nil, err
	}
	f := fields{meta: map[string]string{}}
	if err := f.toml("", doc, 0); err != nil {
		return nil, err
	}
	return f.meta, nil
}

func (f *fields) toml(prefix string, v any, depth int) error {
	if depth > maxDepth {
		return errors.New("it nests too deep")
	}
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if err := f.toml(join(prefix, collapse(k)), v[k], depth+1); err != nil {
				return err
			}
		}
	case []map[string]any:
		for _, c := range v {
			if err := f.toml(prefix, c, depth+1); err != nil {
				return err
			}
		}
	case []any:
		for _, c := range v {
			if err := f.toml(prefix, c, depth+1); err != nil {
				return err
			}
		}
	case time.Time:
		return f.set(prefix, date(v))
	default:
		return f.set(prefix, fmt.Sprint(v))
	}
	return nil
}

// date writes a date or time as its kind is written in TOML; the decoder marks the local kinds by their location.
func date(t time.Time) string {
	switch t.Location().String() {
	case "date-local":
		return t.Format(time.DateOnly)
	case "time-local":
		return t.Format("15:04:05.999999999")
	case "datetime-local":
		return t.Format("2006-01-02T15:04:05.999999999")
	}
	return t.Format(time.RFC3339Nano)
}
