package table

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Columns encodes column names as the value of sdk.AttrColumns: a JSON array of strings, without the HTML escapes that
// encoding/json adds by default.
func Columns(names []string) string {
	if names == nil {
		names = []string{}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(names); err != nil {
		panic("bug: encode column names: " + err.Error()) // strings always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// ParseColumns decodes what Columns encoded.
func ParseColumns(attr string) ([]string, error) {
	var names []string
	err := json.Unmarshal([]byte(attr), &names)
	return names, err
}

// headerJoin stands between the names of a column's header rows: "Tonnes / Jan".
const headerJoin = " / "

// MergeHeaders makes one name for each column out of several header rows, outermost first. A name that repeats the one
// above it (a cell merged downwards) and an empty one add nothing.
func MergeHeaders(rows [][]string) []string {
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	names := make([]string, width)
	for c := range names {
		var parts []string
		for _, r := range rows {
			if c < len(r) && r[c] != "" && (len(parts) == 0 || parts[len(parts)-1] != r[c]) {
				parts = append(parts, r[c])
			}
		}
		names[c] = strings.Join(parts, headerJoin)
	}
	return names
}
