package config_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cleave-project/cleave/core/config"
	"github.com/google/go-cmp/cmp"
)

const (
	source = "[[source]]\nname = \"a\"\nroot = \"/a\"\n"
	plugin = "[[plugin]]\nname = \"p\"\ncommand = [\"p\"]\n"
)

// Each text gives exactly these lines: file, line, key, what is wrong, what is allowed.
func TestProblems(t *testing.T) {
	const (
		top     = "state_dir, socket, socket_mode, socket_group, plugin_dir, admins, chunking, watch, files, retention, tenant, source, plugin"
		keys    = "name, root, tenant, include, exclude, readers, on_error, rule"
		name    = "a name that matches [a-z0-9][a-z0-9._-]{0,63}"
		program = `a program beneath plugin_dir, without "..", then its arguments`
		apart   = "a root that is neither inside nor around another source's"
		tokens  = `"o200k_base", "cl100k_base", "wordpiece:FILE" (an absolute path), "words"`
		yet     = "is not in force in this version"
	)
	for _, tc := range []struct{ name, text, want string }{
		{"unknown key", "# one\nstatedir = \"/x\"", "2: statedir: unknown key; allowed: " + top},
		{"unknown table", "[wach]\nquiet = \"1s\"", "1: wach: unknown key; allowed: " + top},
		{"unknown key in a table", "[files]\nhidden = true\nsize = 1", "3: size: unknown key in [files]; allowed: max_size, hidden, follow_symlinks"},
		{"unknown key in a source", source + source[:0] + "reader = [\"*\"]", "4: reader: unknown key in [[source]]; allowed: " + keys},
		{"unknown key in the second source", source + "[[source]]\nname = \"b\"\nroot = \"/b\"\n\nincludes = []", "8: includes: unknown key in [[source]]; allowed: " + keys},
		{"unknown key that is not bare", "\"a\\nb\" = 1", "1: \"a\\nb\": unknown key; allowed: " + top},
		{"dotted unknown key", "files.siz = 1", "1: siz: unknown key in [files]; allowed: max_size, hidden, follow_symlinks"},
		{"syntax", "state_dir = \"/x\"\n[files\n", "2: expected '.' or ']' to end table name, but got '\\n' instead; allowed: TOML 1.0"},
		{"key twice", "[files]\nhidden = true\nhidden = false", "3: files.hidden: Key 'files.hidden' has already been defined.; allowed: TOML 1.0"},
		{"string for number", "[chunking]\nmax_tokens = \"400\"", "2: max_tokens: is the string \"400\"; allowed: a whole number from 1"},
		{"float for number", "[chunking]\nmax_tokens = 4.5", "2: max_tokens: is the number 4.5; allowed: a whole number from 1"},
		{"number for mode", "socket_mode = 438", `1: socket_mode: is the number 438; allowed: an octal mode such as "0666"`},
		{"mode", `socket_mode = "0888"`, `1: socket_mode: "0888" is not a mode; allowed: an octal mode such as "0666"`},
		{"mode with setuid", `socket_mode = "4755"`, `1: socket_mode: "4755" is not a mode; allowed: an octal mode such as "0666"`},
		{"string for table", `files = "x"`, `1: files: is the string "x"; allowed: a table`},
		{"table for tables", "[source]\nname = \"a\"", "1: source: is a table; allowed: tables"},
		{"string for list", source + `include = "*.md"`, `4: include: is the string "*.md"; allowed: a list of globs; none: every file`},
		{"number in list", source + "include = [\n  \"a\",\n  3,\n]", "6: include: is the number 3; allowed: a list of globs; none: every file"},
		{"date", "state_dir = 2026-01-01", "1: state_dir: is a date or time; allowed: an absolute path"},
		{"relative path", `state_dir = "state"`, `1: state_dir: "state" is not an absolute path; allowed: an absolute path`},
		{"empty path", `socket = ""`, `1: socket: is empty; allowed: an absolute path`},
		{"admins", `admins = ["user:root", "root"]`, `1: admins: "root" is not a principal; allowed: "user:NAME", "group:NAME", "uid:N"`},
		{"admin uid", `admins = ["uid:-1"]`, `1: admins: "uid:-1" is not a principal; allowed: "user:NAME", "group:NAME", "uid:N"`},
		{"socket group", `socket_group = "group:x"`, `1: socket_group: "group:x" is not the name of a group; allowed: the name of a group, or ""`},

		{"semantic", "[chunking]\nstrategy = \"semantic\"", `2: strategy: "semantic" ` + yet + `; allowed: "structural", "recursive", "fixed"`},
		{"strategy", "[chunking]\nstrategy = \"best\"", `2: strategy: "best" is not a strategy; allowed: "structural", "recursive", "fixed"`},
		{"budget", "[chunking]\nmax_tokens = 0", "2: max_tokens: 0 is not above 0; allowed: a whole number from 1"},
		{"overlap", "[chunking]\noverlap = 400", "2: overlap: 400 is not smaller than max_tokens, which is 400; allowed: a whole number from 0, smaller than max_tokens"},
		{"negative overlap", "[chunking]\noverlap = -1", "2: overlap: -1 is below 0; allowed: a whole number from 0, smaller than max_tokens"},
		{"target", "[chunking]\ntarget_tokens = 401", "2: target_tokens: 401 is above max_tokens, which is 400; allowed: a whole number from 0 to max_tokens; 0: join up to max_tokens"},
		{"tokenizer", "[chunking]\ntokenizer = \"gpt2\"", `2: tokenizer: "gpt2" is not a tokenizer; allowed: ` + tokens},
		{"vocabulary", "[chunking]\ntokenizer = \"wordpiece:v.txt\"", `2: tokenizer: "wordpiece:v.txt" names a vocabulary by a relative path; allowed: ` + tokens},
		{"no vocabulary", "[chunking]\ntokenizer = \"wordpiece:\"", `2: tokenizer: "wordpiece:" names no vocabulary file; allowed: ` + tokens},
		{"oversize", "[chunking]\noversize = \"drop\"", `2: oversize: "drop" is not a way to treat what is too large; allowed: "split", "reject"`},

		{"quiet", "[watch]\nquiet = \"1s\"", `2: quiet: "1s" ` + yet + `; allowed: "300ms"`},
		{"max_age", "[watch]\nmax_age = \"1m\"", `2: max_age: "1m0s" ` + yet + `; allowed: "5s"`},
		{"rescan", "[watch]\nrescan = \"0s\"", `2: rescan: "0s" is not above 0; allowed: a duration above 0 such as "10m"`},
		{"duration", "[watch]\nrescan = \"ten minutes\"", `2: rescan: "ten minutes" is not a duration; allowed: a duration above 0 such as "10m"`},
		{"size", "[files]\nmax_size = \"64 megs\"", `2: max_size: "64 megs" is not a size; allowed: a size above 0 such as "64MiB"`},
		{"no size", "[files]\nmax_size = \"0\"", `2: max_size: "0B" is not above 0; allowed: a size above 0 such as "64MiB"`},
		{"links", "[files]\nfollow_symlinks = true", "2: follow_symlinks: true " + yet + "; allowed: false"},
		{"generations", "[retention]\ngenerations = 5", "2: generations: 5 " + yet + "; allowed: 20"},
		{"age", "[retention]\nage = \"48h\"", `2: age: "48h0m0s" ` + yet + `; allowed: "24h"`},
		{"tenant", "[[tenant]]\nname = \"legal\"\nmembers = [\"group:legal\"]", `2: name: "legal" ` + yet + "; allowed: \"default\"\n3: members: \"group:legal\" " + yet + `; allowed: ["*"]`},
		{"tenant without members", "[[tenant]]\nname = \"default\"", `1: members: an empty list ` + yet + `; allowed: ["*"]`},

		{"source without name", "[[source]]\nroot = \"/a\"", "1: name: is missing in [[source]]; allowed: " + name},
		{"source without root", "[[source]]\nname = \"a\"", "1: root: is missing in [[source]]; allowed: an absolute path"},
		{"source name", "[[source]]\nname = \"A b\"\nroot = \"/a\"", `2: name: "A b" is not a name; allowed: ` + name},
		{"relative root", "[[source]]\nname = \"a\"\nroot = \"a\"", `3: root: "a" is not an absolute path; allowed: an absolute path`},
		{"source twice", source + "[[source]]\nname = \"a\"\nroot = \"/b\"", `5: name: "a" is given twice; allowed: ` + name + ", used once"},
		{"root inside", source + "[[source]]\nname = \"b\"\nroot = \"/a/x/..//b\"", `6: root: "/a/b" of source "b" overlaps "/a" of source "a"; allowed: ` + apart},
		{"root around", source + "[[source]]\nname = \"b\"\nroot = \"/\"", `6: root: "/" of source "b" overlaps "/a" of source "a"; allowed: ` + apart},
		{"source tenant", source + "tenant = \"legal\"", `4: tenant: "legal" ` + yet + `; allowed: "default"`},
		{"readers", source + "readers = [\"group:legal\"]", `4: readers: "group:legal" ` + yet + `; allowed: ["filesystem"]`},
		{"no readers", source + "readers = []", `4: readers: an empty list ` + yet + `; allowed: ["filesystem"]`},
		{"hold", source + "on_error = \"hold\"", `4: on_error: "hold" ` + yet + `; allowed: "keep"`},
		{"on_error", source + "on_error = \"stop\"", `4: on_error: "stop" is not a way to treat errors; allowed: "keep"`},
		{"glob", source + "exclude = [\"ok\", \"[a-\"]", `4: exclude: "[a-": malformed glob pattern; allowed: a list of globs`},
		{"inline source", "source = [{name = \"a\", root = \"/a\"},\n  {name = \"b\", root = \"b\"}]", `2: root: "b" is not an absolute path; allowed: an absolute path`},

		{"rule without match", source + "[[source.rule]]\nmax_tokens = 5", "4: match: is missing in [[source.rule]]; allowed: a glob of paths relative to the source's root"},
		{"rule", source + "[[source.rule]]\nmatch = \"x\"\n[[source.rule]]\nmatch = \"y\"\nmax_tokens = -5", "8: max_tokens: -5 is not above 0; allowed: a whole number from 1"},
		{"rule below the overlap", "[chunking]\noverlap = 50\n" + source + "[[source.rule]]\nmatch = \"x\"\nmax_tokens = 50", "6: overlap: 50 is not smaller than max_tokens, which is 50; allowed: a whole number from 0, smaller than max_tokens"},
		{"rule readers", source + "[[source.rule]]\nmatch = \"x\"\nreaders = [\"*\"]", `6: readers: "*" ` + yet + `; allowed: ["filesystem"]`},
		{"rule dates", source + "[[source.rule]]\nmatch = \"x\"\neffective_from = \"front_matter:valid_from\"", `6: effective_from: "front_matter:valid_from" ` + yet + `; allowed: ""`},

		{"plugin without command", "[[plugin]]\nname = \"p\"", "1: command: is missing in [[plugin]]; allowed: " + program},
		{"plugin outside", "[[plugin]]\nname = \"p\"\ncommand = [\"x/../../p\"]", `3: command: "x/../../p" is not beneath plugin_dir; allowed: ` + program},
		{"plugin with dots", "[[plugin]]\nname = \"p\"\ncommand = [\"x/../p\"]", `3: command: "x/../p" is not beneath plugin_dir; allowed: ` + program},
		{"absolute plugin", "[[plugin]]\nname = \"p\"\ncommand = [\"/bin/sh\"]", `3: command: "/bin/sh" is not beneath plugin_dir; allowed: ` + program},
		{"checksum", plugin + "sha256 = \"abc\"", `4: sha256: "abc" is not a SHA-256; allowed: 64 hexadecimal digits, or ""`},
		{"timeout", plugin + "timeout = \"-1s\"", `4: timeout: "-1s" is not above 0; allowed: a duration above 0 such as "30s"`},
		{"processes", plugin + "processes = -1", "4: processes: -1 is below 0; allowed: a number from 0; 0: as many as workers"},
		{"memory", plugin + "memory = \"2GiB\"", `4: memory: "2GiB" ` + yet + `; allowed: "1GiB"`},
		{"read", plugin + "read = [\"/etc\"]", `4: read: "/etc" ` + yet + `; allowed: []`},
		{"cache", plugin + "cache = true", "4: cache: true " + yet + "; allowed: false"},
		{"mtls", plugin + "mtls = true", "4: mtls: true " + yet + "; allowed: false"},
		{"plugin twice", plugin + plugin, `5: name: "p" is given twice; allowed: ` + name + ", used once"},

		{"several", "socket_mode = \"x\"\n\n[files]\nsize = 1\nhidden = 1",
			"1: socket_mode: \"x\" is not a mode; allowed: an octal mode such as \"0666\"\n" +
				"4: size: unknown key in [files]; allowed: max_size, hidden, follow_symlinks\n" +
				"5: hidden: is the number 1; allowed: true, false"},
		{"lines after long strings", "socket_group = \"\"\"\na\n\"\"\"\nadmins = [ # why\n \"user:root\", # \"\n ]\nx = '''\n[files]'''\ny = 1",
			"7: x: unknown key; allowed: " + top + "\n9: y: unknown key; allowed: " + top},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := config.Parse("config.toml", []byte(tc.text))
			if err == nil {
				t.Fatalf("accepted:\n%s", tc.text)
			}
			want := "config.toml:" + strings.ReplaceAll(tc.want, "\n", "\nconfig.toml:")
			if diff := cmp.Diff(want, err.Error()); diff != "" {
				t.Error(diff)
			}
			if p, ok := errors.AsType[*config.Problem](err); !ok || p.Line == 0 || p.File != "config.toml" {
				t.Errorf("no problem with file and line in %#v", err)
			}
		})
	}
}

func TestProblemsAreBounded(t *testing.T) {
	text := "socket_mode = \"" + strings.Repeat("é", 100_000) + "\"\n"
	for i := range 50 {
		text += fmt.Sprintf("key%d = 1\n", i)
	}
	_, err := config.Parse("config.toml", []byte(text))
	if err == nil {
		t.Fatal("accepted")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 21 || lines[20] != "config.toml: and 31 more" {
		t.Errorf("%d lines, the last: %s", len(lines), lines[len(lines)-1])
	}
	if len(lines[0]) > 600 || !strings.HasPrefix(lines[0], `config.toml:1: socket_mode: "é`) || !strings.Contains(lines[0], `é" is not a mode; allowed: `) {
		t.Errorf("%d bytes: %s", len(lines[0]), lines[0])
	}
}

// Whatever a file holds, the answer is a Config or problems of one printable line each.
func FuzzParse(f *testing.F) {
	f.Add([]byte(source + plugin))
	f.Add([]byte("a.\"b c\".d = [1, {x = '''\n'''}, \"\\\"\"]\n[[t]]\n[[t.u]]\nk = 1979-05-27 07:32:00"))
	f.Add([]byte("\"\\u0000\" = 1\r\n[ \"\x7f\" ]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := config.Parse("config.toml", data)
		if (c == nil) != (err != nil) {
			t.Fatalf("Parse = %v, %v", c, err)
		}
		var problems config.Problems
		if errors.As(err, &problems) {
			for _, p := range problems {
				if strings.ContainsFunc(p.Error(), func(r rune) bool { return r < ' ' || r == 0x7f }) || p.Line < 1 {
					t.Errorf("not one line: %q", p.Error())
				}
			}
		}
	})
}
