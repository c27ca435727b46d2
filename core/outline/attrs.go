package outline

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cleave-project/cleave/sdk"
)

// lists are the closed lists of sdk as sets.
type lists struct {
	kinds    map[sdk.Kind]bool
	cuts     map[sdk.Cut]bool
	roles    map[sdk.Role]bool
	reasons  map[sdk.SkipReason]bool
	warnings map[sdk.WarningCode]bool
	keys     map[sdk.AttrKey]bool
}

func newLists() lists {
	return lists{kinds: set(sdk.Kinds()), cuts: set(sdk.Cuts()), roles: set(sdk.Roles()), reasons: set(sdk.SkipReasons()),
		warnings: set(sdk.WarningCodes()), keys: set(sdk.AttrKeys())}
}

func set[T comparable](list []T) map[T]bool {
	m := make(map[T]bool, len(list))
	for _, v := range list {
		m[v] = true
	}
	return m
}

// attrs checks attributes and orders them by key.
func (c *checker) attrs(u *sdk.Unit, i int, out *Unit) *Error {
	if len(u.Attrs) == 0 {
		return nil
	}
	out.Attrs = make([]Attr, 0, len(u.Attrs))
	for k, v := range u.Attrs {
		if !c.lists.keys[k] {
			return broken(RuleKind, i, u.Span.Start, "attribute %.40q", k)
		}
		if len(v) > maxValue || !utf8.ValidString(v) || !wellFormed(k, v) {
			return broken(RuleAttribute, i, u.Span.Start, "attribute %s has the value %.40q", k, v)
		}
		out.Attrs = append(out.Attrs, Attr{Key: k, Value: v})
	}
	slices.SortFunc(out.Attrs, func(a, b Attr) int { return strings.Compare(string(a.Key), string(b.Key)) })
	return nil
}

// wellFormed tells whether v has the form of the key's values, where it has one.
func wellFormed(k sdk.AttrKey, v string) bool {
	switch k {
	case sdk.AttrColumns:
		var names []string
		return json.Unmarshal([]byte(v), &names) == nil
	case sdk.AttrKeyColumns:
		_, ok := KeyColumns(v)
		return ok
	case sdk.AttrRow, sdk.AttrPage, sdk.AttrLevel:
		n, err := strconv.Atoi(v)
		return err == nil && n >= 1
	case sdk.AttrRows:
		n, err := strconv.Atoi(v)
		return err == nil && n >= 0
	case sdk.AttrOrdered:
		return v == "true" || v == "false"
	}
	return true
}

// KeyColumns reads the 0-based column numbers of an AttrKeyColumns value.
func KeyColumns(v string) ([]int, bool) {
	if v == "" {
		return nil, true
	}
	var cols []int
	for s := range strings.SplitSeq(v, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || n < 0 || len(cols) >= maxKeys {
			return nil, false
		}
		cols = append(cols, n)
	}
	return cols, true
}
