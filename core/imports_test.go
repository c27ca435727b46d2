package core_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/cleave-project/cleave"

// allowed says for each package of ours which of our packages it may import, and why. A package that is not here may
// not exist; an import that is not here may not be written.
var allowed = map[string]struct {
	imports []string
	why     string
}{
	"sdk":               {nil, "the contract for plugin authors reaches the standard library only"},
	"sdk/table":         {[]string{"sdk"}, "builds table units, which are sdk values"},
	"sdk/internal/wire": {[]string{"sdk"}, "sdk values to and from protobuf"},
	"sdk/plugin":        {[]string{"sdk", "sdk/internal/wire"}, "serves a Splitter over the wire"},
	"sdk/host":          {[]string{"sdk", "sdk/internal/wire"}, "calls a Splitter over the wire"},
	"sdk/sdktest":       {[]string{"sdk", "sdk/host"}, "runs any plugin binary"},

	"core":          {nil, "documentation and the tests of the architecture"},
	"core/glob":     {nil, "L0"},
	"core/object":   {nil, "L0: imports nothing of ours"},
	"core/config":   {[]string{"core/glob"}, "L0: patterns are checked when they are read"},
	"core/text":     {[]string{"sdk"}, "L0: refusals carry the contract's codes, ranges are its spans"},
	"core/token":    {nil, "L0"},
	"core/control":  {nil, "L0: the client must reach no part of the daemon"},
	"core/ignore":   {nil, "L0: git's rules touch no file system"},
	"core/scan":     {[]string{"core/glob", "core/ignore"}, "L1"},
	"core/outline":  {[]string{"core/object", "core/text", "sdk"}, "L1: untrusted sdk values become trusted ones"},
	"core/store":    {[]string{"core/object"}, "L1"},
	"core/index":    {[]string{"core/object"}, "L1: reads a generation through an interface of its own"},
	"core/chunk":    {[]string{"core/object", "core/outline", "core/text", "core/token", "sdk"}, "L2"},
	"core/dispatch": {[]string{"core/glob", "sdk", "sdk/host"}, "L2"},
	"core/query":    {[]string{"core/glob", "core/index", "core/object", "core/token"}, "L3"},
	"core/answer":   {[]string{"core/chunk", "core/control", "core/object", "core/outline"}, "L3: stored values in the words of the contract"},
	"core/ingest": {[]string{"core/chunk", "core/dispatch", "core/object", "core/outline", "core/scan", "core/store",
		"core/text", "core/token", "sdk"}, "L3: the only place that knows the order of the pipeline"},
	"core/daemon": {[]string{"core/answer", "core/chunk", "core/config", "core/control", "core/dispatch", "core/index",
		"core/ingest", "core/object", "core/outline", "core/query", "core/scan", "core/store", "core/text", "core/token", "sdk"},
		"L5: composition"},

	"cmd/daemon":               {[]string{"core/config", "core/control", "core/daemon"}, "flags and signals"},
	"cmd/cleave":               {[]string{"core/control", "cmd/cleave/internal/term"}, "a thin client"},
	"cmd/cleave/internal/term": {nil, "prints for people, whatever it is"},
	"plugins/markdown":         {[]string{"sdk", "sdk/plugin", "sdk/table"}, "plugins reach the sdk only"},
	"plugins/text":             {[]string{"sdk", "sdk/plugin", "sdk/table"}, "plugins reach the sdk only"},
	"tools/bench": {[]string{"core/chunk", "core/dispatch", "core/index", "core/ingest", "core/object", "core/outline",
		"core/scan", "core/store", "core/text", "core/token", "sdk"}, "measures each hop by itself, so it calls all of them"},
	"tools/protogen": {nil, "generates code"},
	"tools/sdktest":  {[]string{"sdk/host", "sdk/sdktest"}, "the conformance suite as a command"},
}

// forbidden names what a package must not reach, however indirectly.
var forbidden = []struct{ pkg, dep, why string }{
	{"sdk", "google.golang.org/grpc", "the contract is the standard library only"},
	{"cmd/cleave", "github.com/dgraph-io/badger/v4", "the client starts in under 15 ms"},
	{"cmd/cleave", "github.com/blevesearch/bleve/v2", "the client starts in under 15 ms"},
	{"cmd/cleave", "github.com/hashicorp/go-plugin", "the client starts in under 15 ms"},
	{"plugins/markdown", "github.com/dgraph-io/badger/v4", "a plugin has no store"},
	{"plugins/text", "github.com/yuin/goldmark", "plain text needs no parser"},
}

func TestImportTable(t *testing.T) {
	for pkg, imports := range ours(t) {
		rule, ok := allowed[pkg]
		if !ok {
			t.Errorf("%s: not in the import table; add it with what it may import and why", pkg)
			continue
		}
		for _, imp := range imports {
			if !contains(rule.imports, imp) {
				t.Errorf("%s imports %s; it may import %v (%s)", pkg, imp, rule.imports, rule.why)
			}
		}
	}
}

func TestForbiddenDependencies(t *testing.T) {
	for _, f := range forbidden {
		cmd := exec.Command("go", "list", "-deps", "./"+f.pkg)
		cmd.Dir = root(t)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list -deps %s: %v", f.pkg, err)
		}
		if contains(strings.Fields(string(out)), f.dep) {
			t.Errorf("%s reaches %s: %s", f.pkg, f.dep, f.why)
		}
	}
}

func TestPackageDocs(t *testing.T) {
	documented := map[string]bool{}
	goFiles(t, func(dir, file string) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		documented[dir] = documented[dir] || f.Doc != nil
	})
	for dir, ok := range documented {
		if !ok {
			t.Errorf("%s has no package documentation", dir)
		}
	}
}

// ours maps each package of ours to the sorted packages of ours that its non-test files import.
func ours(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string]map[string]bool{}
	goFiles(t, func(dir, file string) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		if found[dir] == nil {
			found[dir] = map[string]bool{}
		}
		for _, imp := range f.Imports {
			p, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if rest, ok := strings.CutPrefix(p, module+"/"); ok {
				found[dir][rest] = true
			}
		}
	})
	sorted := map[string][]string{}
	for dir, set := range found {
		sorted[dir] = []string{}
		for p := range set {
			sorted[dir] = append(sorted[dir], p)
		}
		sort.Strings(sorted[dir])
	}
	return sorted
}

// goFiles calls visit for every Go file of the module that is neither a test nor test data.
func goFiles(t *testing.T, visit func(dir, file string)) {
	t.Helper()
	top := root(t)
	err := filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if name == "testdata" || name == "bin" || name == "node_modules" || strings.HasPrefix(name, ".") && p != top {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(top, p)
		if err != nil {
			return err
		}
		visit(path.Dir(filepath.ToSlash(rel)), p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(dir)
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
