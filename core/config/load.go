package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"syscall"

	"github.com/BurntSushi/toml"
)

// maxFile bounds what is read: a configuration is written by hand, and ten thousand stanzas fit.
const maxFile = 4 << 20

// Load reads and checks the configuration at path. The error is a Problems where the content is at fault.
func Load(path string) (*Config, error) {
	// Without O_NONBLOCK a fifo put in the file's place would stop the daemon for ever.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, whyOf(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, whyOf(path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, &Problem{File: path, Reason: "is not a regular file"}
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, whyOf(path, err)
	}
	if len(data) > maxFile {
		return nil, &Problem{File: path, Reason: fmt.Sprintf("is larger than %s", Size(maxFile))}
	}
	return Parse(path, data)
}

// whyOf takes the path out of an error of package os, since it is named once in front.
func whyOf(path string, err error) error {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		return fmt.Errorf("%s: %w", path, pe.Err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Parse reads and checks a configuration; name stands for it in errors, which are all Problems.
func Parse(name string, data []byte) (*Config, error) {
	var doc map[string]any
	if _, err := toml.Decode(string(data), &doc); err != nil {
		return nil, Problems{syntaxProblem(name, data, err)}
	}
	b := &binder{file: name, lines: findLines(data)}
	c := Default()
	b.table("", doc, reflect.ValueOf(c).Elem())
	if err := b.problems.err(); err != nil {
		return nil, err // what does not even fit would be reported twice by the checks
	}
	(&checker{binder: b, config: c}).run()
	if err := b.problems.err(); err != nil {
		return nil, err
	}
	return c, nil
}

// syntaxProblem keeps the one line of the library's message that says what is wrong.
func syntaxProblem(name string, data []byte, err error) *Problem {
	p := &Problem{File: name, Line: 1, Reason: firstLine(err.Error()), Allowed: "TOML 1.0"}
	if pe, ok := errors.AsType[toml.ParseError](err); ok {
		// The library counts a line end that is itself the error as part of the next line.
		start := min(max(pe.Position.Start, 0), len(data))
		p.Line = 1 + bytes.Count(data[:start], []byte{'\n'})
		p.Key, p.Reason = pe.LastKey, firstLine(pe.Message)
	}
	return p
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
