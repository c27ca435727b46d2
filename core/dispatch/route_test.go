package dispatch_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleave-project/cleave/core/dispatch"
	"github.com/cleave-project/cleave/sdk"
)

// named is a plugin of another name: the test plugin under a link of its own, which claims the globs given.
func named(t *testing.T, name string, globs ...string) dispatch.Plugin {
	t.Helper()
	program := filepath.Join(t.TempDir(), "cleave-plugin-"+name)
	if err := os.Link(testPlugin, program); err != nil {
		t.Fatal(err)
	}
	return dispatch.Plugin{Name: name, Command: append([]string{program, name}, globs...)}
}

func TestRoute(t *testing.T) {
	stanza := named(t, "stanza", "*.never")
	stanza.Match = []string{"*.log", "legal/**/*.md", "Make*"}
	broken := named(t, "-")
	broken.Name, broken.Match = "broken", []string{"*.broken"}
	d := open(t, 1, stanza, broken,
		named(t, "markdown", "*.md", "*.special.md"), named(t, "other", "*.md", "*.log", "*.special.*"), named(t, "text", "*"))
	for _, tt := range []struct {
		name, head string
		want       string // plugin, media type, language; or the code
	}{
		{"a.md", "", "markdown text/markdown "},
		{"docs/a.md", "", "markdown text/markdown "},
		{"A.MD", "", "markdown text/markdown "},
		{"legal/a.md", "", "stanza text/markdown "},
		{"legal/b/c.md", "", "stanza text/markdown "},
		{"x/legal/a.md", "", "markdown text/markdown "},
		{"a.special.md", "", "markdown text/markdown "},
		{"a.special.mx", "", "other text/x-test "},
		{"a.log", "", "stanza text/plain "},
		{"Makefile", "", "stanza text/x-make make"},
		{"a.never", "", "text text/x-test "},
		{"a.txt", "", "text text/plain "},
		{"b/notes", "", "text text/x-test "},
		{"a.py", "", "text text/x-python python"},
		{"a.go", "", "text text/x-go go"},
		{"a.csv", "", "text text/csv "},
		{"run", "#!/usr/bin/env python3.11\n", "text text/plain python"},
		{"run", "#!/bin/sh -e\n", "text text/plain bash"},
		{"n.ipynb", "{}", "unsupported_type a notebook"},
		{"n.HTML", "", "unsupported_type HTML"},
		{"n.docx", "", "unsupported_type Word"},
		{"n", "%PDF-1.7\n", "unsupported_type PDF"},
		{"n", "\n\n<!DOCTYPE html>", "unsupported_type HTML"},
		{"n", `{\rtf1`, "unsupported_type Rich Text"},
		{"n", "{\"a\": 1}", "text text/x-test "},
		{"a.broken", "", "plugin_refused no licence"},
		{"\xff\xfe", "", "text text/x-test "},
	} {
		r := d.Route(tt.name, []byte(tt.head))
		got := fmt.Sprintf("%s %s %s", r.Plugin.Name, r.MediaType, r.Lang)
		if r.Err != nil {
			code, reason, _ := strings.Cut(tt.want, " ")
			if string(r.Err.Code) != code || !strings.Contains(r.Err.Message, reason) {
				t.Errorf("%q %q: %v, want %s", tt.name, tt.head, r.Err, tt.want)
			}
			continue
		}
		if got != tt.want {
			t.Errorf("%q %q: %q, want %q", tt.name, tt.head, got, tt.want)
		}
	}
}

// TestRouteTo: a plugin that is named gets what it does not claim.
func TestRouteTo(t *testing.T) {
	d := open(t, 1, named(t, "markdown", "*.md"), named(t, "text", "*"))
	if r := d.RouteTo("markdown", "a.txt", nil); r.Err != nil || r.Plugin.Name != "markdown" || r.MediaType != "text/plain" {
		t.Errorf("RouteTo(markdown) = %+v", r)
	}
	if r := d.RouteTo("missing", "a.txt", nil); r.Err == nil || r.Err.Code != sdk.CodeInvalidConfig {
		t.Errorf("RouteTo(missing) = %+v", r)
	}
	if r := d.Route("a.strange", nil); r.MediaType != "text/x-test" {
		t.Errorf("the only media type of a plugin is not used: %+v", r)
	}
}

// TestNobodyClaims: without a fallback a file is unsupported, and Split says the same as Route.
func TestNobodyClaims(t *testing.T) {
	d := open(t, 1, named(t, "markdown", "*.md"))
	r := d.Route("a.txt", nil)
	if r.Err == nil || r.Err.Code != sdk.CodeUnsupportedType {
		t.Errorf("Route = %+v", r)
	}
	if _, err := d.Split(t.Context(), r, sdk.File{}); !errors.Is(err, r.Err) {
		t.Errorf("Split = %v", err)
	}
}

// TestMissingPluginLosesNoFormat: where the plugin of a format does not start, its files do not silently become plain
// text.
func TestMissingPluginLosesNoFormat(t *testing.T) {
	markdown := named(t, "-")
	markdown.Name = "markdown"
	d := open(t, 1, markdown, named(t, "text", "*"))
	if r := d.Route("a.md", nil); r.Err == nil || r.Err.Code != sdk.CodeUnsupportedType {
		t.Errorf("Route = %+v", r)
	}
	status := d.Status()
	if len(status) != 2 || status[0].Name != "markdown" || !strings.Contains(status[0].Error, "no licence") || status[1].Error != "" {
		t.Errorf("Status = %+v", status)
	}
}

// TestTwins: a name means one plugin; the same program discovered again is no twin.
func TestTwins(t *testing.T) {
	first := named(t, "twin", "*.a")
	first.Match = []string{"*.x"}
	again := dispatch.Plugin{Name: "twin", Command: first.Command}
	d := open(t, 1, first, again, named(t, "twin", "*.b"))
	d.Revive(t.Context())
	status := d.Status()
	if len(status) != 2 || status[1].Processes != 0 || status[0].Error != "" || !strings.Contains(status[1].Error, "has the name of") {
		t.Fatalf("Status = %+v", status)
	}
	if r := d.Route("f.x", nil); r.Err != nil {
		t.Errorf("Route(f.x) = %+v", r)
	}
	if r := d.Route("f.b", nil); r.Err == nil {
		t.Errorf("Route(f.b) = %+v", r)
	}
}

func TestDiscover(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{
		"cleave-plugin-text": 0o755, "cleave-plugin-code": 0o755, "cleave-plugin-notes.md": 0o644, "other": 0o755, "cleave-plugin-": 0o755,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "cleave-plugin-folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	got, err := dispatch.Discover(dir)
	want := []dispatch.Plugin{
		{Name: "code", Command: []string{filepath.Join(dir, "cleave-plugin-code")}},
		{Name: "text", Command: []string{filepath.Join(dir, "cleave-plugin-text")}},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("Discover: %v (-want +got)\n%s", err, diff)
	}
	if _, err := dispatch.Discover(filepath.Join(dir, "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Discover of a missing directory: %v", err)
	}
}
