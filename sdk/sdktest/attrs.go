package sdktest

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cleave-project/cleave/sdk"
)

// attrs checks keys and, where sdk says what a value looks like, values.
func (r *report) attrs(u *sdk.Unit) {
	for _, key := range slices.Sorted(maps.Keys(u.Attrs)) {
		value := u.Attrs[key]
		r.utf8("attribute "+string(key), u.Span.Start, value)
		if !slices.Contains(sdk.AttrKeys(), key) {
			r.add(RuleList, u.Span.Start, "attribute key %q", key)
		} else if !wellFormed(key, value) {
			r.add(RuleAttr, u.Span.Start, "attribute %s=%.100q of a %s", key, value, u.Kind)
		}
	}
}

func wellFormed(key sdk.AttrKey, value string) bool {
	switch key {
	case sdk.AttrColumns:
		var columns []string
		return json.Unmarshal([]byte(value), &columns) == nil
	case sdk.AttrRow, sdk.AttrPage, sdk.AttrLevel:
		return number(value, 1)
	case sdk.AttrRows:
		return number(value, 0)
	case sdk.AttrKeyColumns:
		for column := range strings.SplitSeq(value, ",") {
			if !number(column, 0) {
				return false
			}
		}
	case sdk.AttrOrdered:
		return value == "true"
	}
	return true
}

// number is a decimal integer of at least low, in its shortest form.
func number(s string, low int) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= low && strconv.Itoa(n) == s
}
