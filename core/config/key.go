package config

import (
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

var (
	bareKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
	index   = regexp.MustCompile(`\[[0-9]+\]`)
)

// keys are the keys of a table, in the order of the fields they are bound to.
func keys(t reflect.Type) []string {
	out := make([]string, t.NumField())
	for i := range out {
		out[i] = t.Field(i).Tag.Get("toml")
	}
	return out
}

// allowedFor is what the key of table takes, as an error says it.
func allowedFor(table any, key string) string {
	t := reflect.TypeOf(table)
	for i, k := range keys(t) {
		if k == key {
			return t.Field(i).Tag.Get("allowed")
		}
	}
	panic("bug: no key " + strconv.Quote(key) + " in " + t.Name())
}

// join appends a key to a path; a key that is not bare is quoted, so that it adds one step.
func join(path, key string) string {
	if withoutIndex(key) == key {
		key = quoteKey(key)
	}
	if path == "" || key == "" {
		return path + key
	}
	return path + "." + key
}

func quoteKey(key string) string {
	if key == "" || bareKey.MatchString(key) {
		return key
	}
	return strconv.Quote(key)
}

// unquoteKey reads a quoted key as it stands in the file.
func unquoteKey(quoted string) string {
	var doc map[string]any
	if _, err := toml.Decode(quoted+" = 0", &doc); err == nil {
		for key := range doc {
			return key
		}
	}
	return quoted
}

func withoutIndex(path string) string { return index.ReplaceAllString(path, "") }

// inTable says in which table a key stands: "" at the top, " in [chunking]", " in [[source]]".
func inTable(path string) string {
	switch name := withoutIndex(path); {
	case path == "":
		return ""
	case strings.HasSuffix(path, "]"):
		return " in [[" + name + "]]"
	default:
		return " in [" + name + "]"
	}
}
