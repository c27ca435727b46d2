package scan_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cleave-project/cleave/core/scan"
	"pgregory.net/rapid"
)

var (
	name    = rapid.SampledFrom([]string{"a", "b", "c", "ab", "a.md", "b.md", "a.b", "A", ".x", "x y", "#c", "!d", "é", "\xff", "[a]", "a*"})
	pattern = rapid.SampledFrom([]string{
		"a", "b/", "/a", "/b/", "*.md", "!*.md", "!a", "!/a/b", "a/b", "**/a", "a/**", "a/**/b", "!a/**/c", "*", "!*/", "/*", "!/b", "?", "[ab]", "[!a]",
		"a*", "/a*/b", "\\#c", "\\!d", "#c", "x\\ y", "x y  ", "c\\ ", "\\[a\\]", "a\\*", "[[]a]", "**", "!**/", "b/c/", "!.x", ".*", "é", "\xff", "a.b\r",
	})
	somePath = rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(name, 1, 4).Draw(t, "path"), "/")
	})
)

// plant makes what can be made of paths, which may want one name as a file and as a folder.
func plant(t *rapid.T, root, path, content string) {
	full := filepath.Join(root, path)
	if os.MkdirAll(filepath.Dir(full), 0o755) != nil {
		return
	}
	if info, err := os.Lstat(full); err == nil && info.IsDir() {
		return
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// gitFiles lists what git would add of root. One repository serves for all trees.
func gitFiles(t *rapid.T, repo, root string) []string {
	cmd := exec.Command("git", "--git-dir", repo, "--work-tree", root, "ls-files", "-o", "--exclude-standard", "-z")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "HOME="+root)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
}

// Over trees with ignore files at every level, a walk takes the files that git would add.
func TestWalkTakesWhatGitWould(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: nothing to compare with")
	}
	base := t.TempDir()
	repo := filepath.Join(base, "repo")
	if out, err := exec.Command("git", "init", "-q", "--bare", repo).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v: %s", err, out)
	}
	compared, taken := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		root, err := os.MkdirTemp(base, "tree")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(root)
		for _, path := range rapid.SliceOfN(somePath, 5, 30).Draw(t, "files") {
			plant(t, root, path, "")
		}
		for _, path := range rapid.SliceOfN(somePath, 0, 3).Draw(t, "links") {
			if err := os.Symlink(".", filepath.Join(root, path)); err != nil && !errors.Is(err, os.ErrExist) && !errors.Is(err, os.ErrNotExist) {
				t.Logf("no link %q: %v", path, err)
			}
		}
		dirs := rapid.SliceOfN(rapid.OneOf(rapid.Just("."), somePath), 1, 4).Draw(t, "dirs")
		for _, dir := range dirs {
			lines := rapid.SliceOfN(pattern, 1, 6).Draw(t, "lines")
			plant(t, root, filepath.Join(dir, ".gitignore"), strings.Join(lines, "\n"))
		}
		l, err := scan.Walk(context.Background(), scan.Options{Root: root, Hidden: true})
		if err != nil {
			t.Fatal(err)
		}
		got := paths(l)
		for _, x := range l.LeftOut {
			if x.Reason == scan.Symlink { // a file to git
				got = append(got, x.Path)
			}
		}
		slices.Sort(got)
		want := gitFiles(t, repo, root)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("walk: %q\ngit:  %q", got, want)
		}
		compared++
		taken += len(want)
	})
	t.Logf("%d trees, %d files taken as git takes them", compared, taken)
}
