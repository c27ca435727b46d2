package config

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// binder moves what the TOML library read into a Config and collects what does not fit.
type binder struct {
	file     string
	lines    lines
	problems Problems
}

// bad reports key of the table at path. The key may be missing there; the line is then the table's.
func (b *binder) bad(path, key, allowed, format string, args ...any) {
	b.problems = append(b.problems, &Problem{
		File:    b.file,
		Line:    max(b.lines.at(join(path, key)), 1),
		Key:     quoteKey(withoutIndex(key)),
		Reason:  fmt.Sprintf(format, args...),
		Allowed: allowed,
	})
}

// table binds the keys of one table to the fields of the struct to.
func (b *binder) table(path string, from map[string]any, to reflect.Value) {
	for _, key := range slices.Sorted(maps.Keys(from)) {
		i := slices.Index(keys(to.Type()), key)
		if i < 0 {
			b.bad(path, key, strings.Join(keys(to.Type()), ", "), "unknown key%s", inTable(path))
			continue
		}
		b.value(path, key, to.Type().Field(i).Tag.Get("allowed"), from[key], to.Field(i))
	}
}

// value binds one value. Types of ours come before kinds, since a duration is an integer to reflect.
func (b *binder) value(path, key, allowed string, from any, to reflect.Value) {
	switch to.Interface().(type) {
	case os.FileMode, time.Duration, Size, Principal:
		b.parsed(path, key, allowed, from, to)
		return
	}
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		b.value(path, key, allowed, from, to.Elem())
	case reflect.Struct:
		if m, ok := from.(map[string]any); ok {
			b.table(join(path, key), m, to)
			return
		}
		b.mismatch(path, key, "a table", from)
	case reflect.Slice:
		b.list(path, key, allowed, from, to)
	default:
		b.scalar(path, key, allowed, from, to)
	}
}

// scalar binds a string, a whole number or a boolean.
func (b *binder) scalar(path, key, allowed string, from any, to reflect.Value) {
	v := reflect.ValueOf(from)
	switch {
	case to.Kind() == reflect.Int && v.Kind() == reflect.Int64:
		to.SetInt(v.Int()) // int has 64 bits on every platform cleave is built for
	case to.Kind() == v.Kind():
		to.Set(v)
	default:
		b.mismatch(path, key, allowed, from)
	}
}

// list binds an array. Tables in it start from their defaults.
func (b *binder) list(path, key, allowed string, from any, to reflect.Value) {
	v := reflect.ValueOf(from)
	tables := to.Type().Elem().Kind() == reflect.Struct && to.Type().Elem() != reflect.TypeFor[Principal]()
	if tables {
		allowed = "tables"
	}
	if v.Kind() != reflect.Slice {
		b.mismatch(path, key, allowed, from)
		return
	}
	out := reflect.MakeSlice(to.Type(), 0, v.Len())
	for i := range v.Len() {
		element := fresh(to.Type().Elem())
		b.value(path, fmt.Sprintf("%s[%d]", key, i), allowed, v.Index(i).Interface(), element)
		out = reflect.Append(out, element)
	}
	to.Set(out)
}

// fresh is a settable value of type t with its defaults.
func fresh(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch t {
	case reflect.TypeFor[Source]():
		v.Set(reflect.ValueOf(defaultSource()))
	case reflect.TypeFor[Plugin]():
		v.Set(reflect.ValueOf(defaultPlugin()))
	}
	return v
}

// parsed binds a value that is written as a string and means something else.
func (b *binder) parsed(path, key, allowed string, from any, to reflect.Value) {
	s, ok := from.(string)
	if !ok {
		b.mismatch(path, key, allowed, from)
		return
	}
	v, err := parse(s, to.Interface())
	if err != nil {
		b.bad(path, key, allowed, "%s", err)
		return
	}
	to.Set(reflect.ValueOf(v))
}

// parse reads s as a value of like's type.
func parse(s string, like any) (any, error) {
	switch like.(type) {
	case os.FileMode:
		n, err := strconv.ParseUint(s, 8, 32)
		if err != nil || n > 0o777 {
			return nil, fmt.Errorf("%q is not a mode", s)
		}
		return os.FileMode(n), nil
	case time.Duration:
		d, err := time.ParseDuration(s)
		if err != nil {
			return nil, fmt.Errorf("%q is not a duration", s)
		}
		return d, nil
	case Size:
		return ParseSize(s)
	default:
		return ParsePrincipal(s)
	}
}

func (b *binder) mismatch(path, key, allowed string, from any) {
	b.bad(path, key, allowed, "is %s", describe(from))
}

// describe names what a TOML value is, for people.
func describe(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("the string %q", v)
	case int64, float64:
		return fmt.Sprintf("the number %v", v)
	case bool:
		return fmt.Sprintf("%t", v)
	case map[string]any:
		return "a table"
	case []map[string]any:
		return "an array of tables"
	case []any:
		return "a list"
	}
	return "a date or time"
}
