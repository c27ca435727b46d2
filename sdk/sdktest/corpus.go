package sdktest

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cleave-project/cleave/sdk"
)

// Corpus checks s over every file of fsys that it claims, and over hostile content of its own. It yields each Problem
// with a nil error, and an error where a file cannot be read or ctx ends. A splitter of text is not given what is not
// UTF-8; a byte order mark is taken off first, as the core does.
func Corpus(ctx context.Context, s sdk.Splitter, fsys fs.FS) iter.Seq2[Problem, error] {
	return func(yield func(Problem, error) bool) {
		for _, p := range CheckInfo(s) {
			if !yield(p, nil) {
				return
			}
		}
		for name, content := range hostile() {
			if !yieldAll(yield, checkContent(ctx, s, name, content)) {
				return
			}
		}
		stopped := false
		err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if !entry.Type().IsRegular() || !claims(s.Info(), path.Base(name)) {
				return ctx.Err()
			}
			content, err := fs.ReadFile(fsys, name)
			if err != nil {
				return err
			}
			if !yieldAll(yield, checkContent(ctx, s, name, content)) {
				stopped = true
				return fs.SkipAll
			}
			return ctx.Err()
		})
		if err != nil && !stopped {
			yield(Problem{}, fmt.Errorf("walk the corpus: %w", err))
		}
	}
}

func yieldAll(yield func(Problem, error) bool, problems []Problem) bool {
	for _, p := range problems {
		if !yield(p, nil) {
			return false
		}
	}
	return true
}

// checkContent checks one file as the core would give it to s.
func checkContent(ctx context.Context, s sdk.Splitter, name string, content []byte) []Problem {
	info := s.Info()
	if info.Input == sdk.InputText {
		content = bytes.TrimPrefix(content, []byte("\ufeff"))
		if !utf8.Valid(content) {
			return nil
		}
	}
	return Check(ctx, s, name, sdk.File{Content: content, MediaType: mediaType(info), Language: language(info, name)})
}

// CheckInfo reports what is wrong with what s says about itself. A host has checked more of it before.
func CheckInfo(s sdk.Splitter) []Problem {
	var r report
	info := s.Info()
	for _, glob := range info.Globs {
		if _, err := path.Match(glob, ""); err != nil || strings.Contains(glob, "/") {
			r.add(RuleInfo, 0, "glob %q: a pattern for a base name", glob)
		}
	}
	if info.Name == "" || info.Version == "" {
		r.add(RuleInfo, 0, "name %q, version %q", info.Name, info.Version)
	}
	return r.finish("Info")
}

func claims(info sdk.Info, base string) bool {
	return slices.ContainsFunc(info.Globs, func(glob string) bool {
		matches, _ := path.Match(glob, base) // malformed ones were reported
		return matches
	})
}

func mediaType(info sdk.Info) string {
	if len(info.MediaTypes) == 0 {
		return "text/plain"
	}
	return info.MediaTypes[0]
}

// language is the plugin's only one, or the one that the extension means to it.
func language(info sdk.Info, name string) string {
	if len(info.Languages) == 1 {
		return info.Languages[0]
	}
	ext := strings.TrimPrefix(path.Ext(name), ".")
	for _, lang := range []string{ext, extensionLanguages[ext]} {
		if slices.Contains(info.Languages, lang) {
			return lang
		}
	}
	return ""
}

var extensionLanguages = map[string]string{
	"py": "python", "pyi": "python", "js": "javascript", "jsx": "javascript", "mjs": "javascript", "ts": "typescript",
	"rs": "rust", "rb": "ruby", "kt": "kotlin", "h": "c", "cc": "cpp", "cxx": "cpp", "hpp": "cpp", "cs": "csharp",
	"sh": "bash",
}
