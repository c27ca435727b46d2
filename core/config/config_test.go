package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cleave-project/cleave/core/config"
	"github.com/google/go-cmp/cmp"
)

const sampleFile = "../../config.toml"

func parse(t *testing.T, text string) *config.Config {
	t.Helper()
	c, err := config.Parse("config.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEmptyIsDefault(t *testing.T) {
	if diff := cmp.Diff(config.Default(), parse(t, "")); diff != "" {
		t.Error(diff)
	}
}

func TestSampleIsDefault(t *testing.T) {
	c, err := config.Load(sampleFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(config.Default(), c); diff != "" {
		t.Error(diff)
	}
}

// uncommented is the sample with its stanzas in force.
func uncommented(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(sampleFile)
	if err != nil {
		t.Fatal(err)
	}
	stanza := regexp.MustCompile(`(?m)^# ( *(\[\[|[a-z_0-9]+ +=))`)
	return stanza.ReplaceAllString(string(data), "$1")
}

// The values the sample shows for the keys of a stanza are the defaults those keys have.
func TestSampleStanzasAreDefaults(t *testing.T) {
	got := parse(t, uncommented(t))
	want := parse(t, `
[[source]]
name = "handbook"
root = "/srv/handbook"
include = []
exclude = []
  [[source.rule]]
  match = "legal/**"
[[plugin]]
name = "lines"
command = ["cleave-plugin-lines"]
match = []
read = []
`)
	base := want.Chunking
	if p := got.Sources[0].Policy(got.Chunking, "legal/a.md"); p != base {
		t.Errorf("the rule of the sample changes the policy: %+v", p)
	}
	rule := &got.Sources[0].Rules[0]
	*rule = config.Rule{Match: rule.Match}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// config.toml shows every key the code knows, each with a line of why or under one that has it.
func TestSampleShowsEveryKey(t *testing.T) {
	text := uncommented(t)
	var walk func(reflect.Type, string)
	walk = func(typ reflect.Type, header string) {
		section := text
		if header != "" {
			_, after, ok := strings.Cut(text, header)
			if !ok {
				t.Errorf("config.toml has no %s", header)
				return
			}
			section = after
		}
		if end := regexp.MustCompile(`(?m)^ *\[`).FindStringIndex(section); end != nil {
			section = section[:end[0]]
		}
		for i := range typ.NumField() {
			f := typ.Field(i)
			key := f.Tag.Get("toml")
			inner, open, closing := f.Type, "[", "]"
			if inner.Kind() == reflect.Slice {
				inner, open, closing = inner.Elem(), "[[", "]]"
			}
			if inner.Kind() == reflect.Struct && inner != reflect.TypeFor[config.Principal]() {
				parent := strings.Trim(header, "[]")
				if parent != "" {
					parent += "."
				}
				walk(inner, open+parent+key+closing)
				continue
			}
			if !regexp.MustCompile(`(?m)^ *` + key + ` +=`).MatchString(section) {
				t.Errorf("config.toml does not show %s %s", header, key)
			}
			if f.Tag.Get("allowed") == "" {
				t.Errorf("%s %s does not say what is allowed", header, key)
			}
		}
	}
	walk(reflect.TypeFor[config.Config](), "")
}

func TestAllKeys(t *testing.T) {
	c := parse(t, `
state_dir = "/s/../state"
socket = "/run/x.sock"
socket_mode = "0660"
socket_group = "staff"
plugin_dir = "/p/"
admins = ["user:ann", "group:ops", "uid:1000"]
chunking = { strategy = "fixed", max_tokens = 256, overlap = 32, tokenizer = "wordpiece:/v/vocab.txt", oversize = "reject", target_tokens = 40 }
[watch]
rescan = "90s"
[files]
max_size = "10MB"
hidden = true
[[source]]
name = "a.b_c-1"
root = "/srv/a/"
include = ["**/*.md"]
exclude = ["drafts/**"]
[[source.rule]]
match = "**"
max_tokens = 100
[[source.rule]]
match = "x/**"
max_tokens = 50
overlap = 0
[[plugin]]
name = "lines"
command = ["sub/lines", "-v", "../anything"]
match = ["*.log"]
sha256 = "`+strings.Repeat("AB", 32)+`"
timeout = "1m"
processes = 3
`)
	ptr := func(n int) *int { return &n }
	want := config.Default()
	want.StateDir, want.Socket, want.SocketMode, want.SocketGroup, want.PluginDir = "/state", "/run/x.sock", 0o660, "staff", "/p"
	want.Admins = []config.Principal{{Kind: config.User, Name: "ann"}, {Kind: config.Group, Name: "ops"}, {Kind: config.UID, ID: 1000}}
	want.Chunking = config.Policy{
		Strategy: "fixed", MaxTokens: 256, Overlap: 32, Tokenizer: "wordpiece:/v/vocab.txt", Oversize: "reject", TargetTokens: 40,
	}
	want.Watch.Rescan = 90 * time.Second
	want.Files = config.Files{MaxSize: 10_000_000, Hidden: true}
	want.Sources = []config.Source{{
		Name: "a.b_c-1", Root: "/srv/a", Tenant: "default", Include: []string{"**/*.md"}, Exclude: []string{"drafts/**"},
		Readers: []string{"filesystem"}, OnError: "keep",
		Rules: []config.Rule{{Match: "**", MaxTokens: ptr(100)}, {Match: "x/**", MaxTokens: ptr(50), Overlap: ptr(0)}},
	}}
	want.Plugins = []config.Plugin{{
		Name: "lines", Command: []string{"sub/lines", "-v", "../anything"}, Match: []string{"*.log"},
		SHA256: strings.Repeat("ab", 32), Timeout: time.Minute, Memory: 1 << 30, Processes: 3,
	}}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}
}

func TestLaterRulesWin(t *testing.T) {
	c := parse(t, `
[[source]]
name = "s"
root = "/s"
[[source.rule]]
match = "**/*.md"
max_tokens = 300
overlap = 20
[[source.rule]]
match = "legal/**"
max_tokens = 256
`)
	base, s := c.Chunking, c.Sources[0]
	for path, want := range map[string][2]int{
		"a.txt":      {400, 0},
		"a.md":       {300, 20},
		"legal/a.md": {256, 20},
		"legal/a":    {256, 0},
	} {
		p := s.Policy(base, path)
		if got := [2]int{p.MaxTokens, p.Overlap}; got != want {
			t.Errorf("%s: max_tokens, overlap = %v, want %v", path, got, want)
		}
	}
	if base != config.Default().Chunking {
		t.Error("applying a rule changed the base")
	}
}

func TestLoadRefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo.toml")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Load(fifo); err == nil || err.Error() != fifo+": is not a regular file" {
		t.Errorf("a fifo (W20): %v", err)
	}
	if _, err := config.Load(dir); err == nil {
		t.Error("a directory was taken for a configuration")
	}
	missing := filepath.Join(dir, "none.toml")
	if _, err := config.Load(missing); !errors.Is(err, os.ErrNotExist) || err.Error() != missing+": no such file or directory" {
		t.Errorf("a missing file: %v", err)
	}
}

func TestSizes(t *testing.T) {
	for in, want := range map[string]config.Size{
		"0": 0, "7": 7, "7B": 7, "1kB": 1000, "10MB": 1e7, "2GB": 2e9, "1TB": 1e12,
		"1KiB": 1024, "64MiB": 64 << 20, "1 GiB": 1 << 30, "3TiB": 3 << 40,
	} {
		got, err := config.ParseSize(in)
		if err != nil || got != want {
			t.Errorf("ParseSize(%q) = %d, %v; want %d", in, got, err, want)
		}
		if back, err := config.ParseSize(got.String()); err != nil || back != got {
			t.Errorf("ParseSize(%q) = %d, %v; want %d", got, back, err, got)
		}
	}
	for _, in := range []string{"", "MiB", "-1B", "1.5MiB", "1Mib", "9223372036854775807KiB", "0x10", "1_000"} {
		if n, err := config.ParseSize(in); err == nil {
			t.Errorf("ParseSize(%q) = %d, want an error", in, n)
		}
	}
}
