package ignore_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cleave-project/cleave/core/ignore"
	"pgregory.net/rapid"
)

// ignored decides as a walk does: nothing beneath an ignored directory is looked at again. path is a file.
func ignored(r ignore.Rules, path string) bool {
	for i, c := range path {
		if c == '/' && r.Match(path[:i], true) == ignore.Ignored {
			return true
		}
	}
	return r.Match(path, false) == ignore.Ignored
}

// gitIgnored asks git which of paths the ignore file names. None of them need exist.
func gitIgnored(t *rapid.T, repo string, file []byte, paths []string) []string {
	if err := os.WriteFile(filepath.Join(repo, ".gitignore"), file, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("git", "-C", repo, "check-ignore", "--no-index", "-z", "--stdin")
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "HOME="+repo)
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00") + "\x00")
	out, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); err != nil && code != 1 { // 1: none of them
		t.Fatalf("git check-ignore: %v", err)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
}

// The pieces make the rare meet often: few letters, every special, every class.
var (
	piece = rapid.SampledFrom([]string{
		"a", "b", "ab", "a", "b", "*", "**", "***", "?", "/", "/", "/", "**/", "/**", "/**/", "*/", "\\", "\\*", "\\/", "\\a",
		"[a]", "[!a]", "[^b]", "[a-c]", "[c-a]", "[]a]", "[!]a]", "[a-]", "[-a]", "[\\]a]", "[a", "[", "]", "[[:alpha:]]", "[[:digit:]x]",
		"[![:upper:]]", "[[:nope:]]", "[[:]", "[[:a]", "[/]", "[+--]", "[--0]", "[[:space:]]", "[[:punct:]]", "[\\a-\\c]", ".", "-", " ", "\\ ", "\t", "!", "#", "é", "1", "A",
	})
	line = rapid.Custom(func(t *rapid.T) string {
		start := rapid.SampledFrom([]string{"", "", "", "", "!", "!", "/", "!/", "\\!", "\\#", "#", "**/", "*"}).Draw(t, "start")
		body := strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "body"), "")
		end := rapid.SampledFrom([]string{"", "", "", "", "/", "/", "  ", "\\ ", "\r", " \r", "/**", "\\", "\x00x"}).Draw(t, "end")
		return start + body + end
	})
	element = rapid.Custom(func(t *rapid.T) string {
		letter := rapid.SampledFrom([]string{"a", "b", "c", "ab", "ba", "A", "1", ".a", "-", "]", "[", "\\", "*", "!", "#", " ", "\t", "é", "\xff", "+"})
		return strings.Join(rapid.SliceOfN(letter, 1, 3).Draw(t, "element"), "")
	})
	path = rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(element, 1, 4).Draw(t, "path"), "/")
	})
)

func TestAsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: nothing to compare with")
	}
	repo := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", repo).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v: %s", err, out)
	}
	compared, named := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		file := []byte(strings.Join(rapid.SliceOfN(line, 1, 8).Draw(t, "lines"), "\n"))
		if rapid.Bool().Draw(t, "bom") {
			file = append([]byte("\xEF\xBB\xBF"), file...)
		}
		paths := rapid.SliceOfNDistinct(path, 40, 80, rapid.ID).Draw(t, "paths")
		paths = slices.DeleteFunc(paths, func(p string) bool { return strings.HasPrefix(p, ".git") })
		var got []string
		rules := ignore.Parse(file)
		for _, p := range paths {
			if ignored(rules, p) {
				got = append(got, p)
			}
		}
		want := gitIgnored(t, repo, file, paths)
		if !slices.Equal(got, want) {
			for _, p := range paths {
				if slices.Contains(got, p) != slices.Contains(want, p) {
					t.Errorf("%q: ignored = %t, git says %t; file:\n%q", p, slices.Contains(got, p), slices.Contains(want, p), bytes.Split(file, []byte{'\n'}))
				}
			}
		}
		compared += len(paths)
		named += len(want)
	})
	if named == 0 {
		t.Error("no path was ignored: nothing was compared")
	}
	t.Logf("%d paths as git has them, %d of them ignored", compared, named)
}
