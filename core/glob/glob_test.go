package glob_test

import (
	"path"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cleave-project/cleave/core/glob"
)

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"*.md", "a.md", true},
		{"*.md", "d/a.md", false},
		{"**/*.md", "a.md", true},
		{"**/*.md", "d/e/a.md", true},
		{"drafts/**", "drafts/a", true},
		{"drafts/**", "drafts/a/b", true},
		{"drafts/**", "drafts", false},
		{"drafts/**", "draftsman/a", false},
		{"a/**/b", "a/b", true},
		{"a/**/b", "a/x/y/b", true},
		{"a/**/b", "a/x/y/c", false},
		{"a/**/b/**/c", "a/b/b/x/b/c", true},
		{"**", "", true},
		{"**", "a/b", true},
		{"**/**", "a", true},
		{"a**b", "a/b", false},
		{"a**b", "axxb", true},
		{"?", "é", true},
		{"?", "/", false},
		{"?", "\xff", true},
		{"*", "\xff\xfe", true},
		{"a?c", "abbc", false},
		{"[a-c]x", "bx", true},
		{"[!a-c]x", "bx", false},
		{"[^a-c]x", "dx", true},
		{"[]a]", "]", true},
		{"[a-]", "-", true},
		{`\*`, "*", true},
		{`\*`, "a", false},
		{"Makefile", "Makefile", true},
		{"Makefile", "makefile", false},
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"[", "[", false},
		{"*a*b*c", "xxaxxbxxc", true},
		{"*a*b*c", "xxaxxbxxcx", false},
		{"[\u00e0-\u00fc]", "é", true},
	} {
		if got := glob.Match(tt.pattern, tt.name); got != tt.want {
			t.Errorf("Match(%q, %q) = %v, want %v", tt.pattern, tt.name, got, tt.want)
		}
	}
}

func TestValid(t *testing.T) {
	for _, good := range []string{"", "*", "**/a", "[a]", "[]]", "[^]]", `a\[`, "[a-z0-9]", "é"} {
		if err := glob.Valid(good); err != nil {
			t.Errorf("Valid(%q) = %v", good, err)
		}
	}
	for _, bad := range []string{"[", "[]", "[^", "[a-", `\`, `a/[b`, `[\`, "[a/b]"} {
		if glob.Valid(bad) == nil {
			t.Errorf("Valid(%q) = nil, want an error", bad)
		}
	}
}

// TestHostilePatternIsFast would not end with a matcher that backtracks through every star.
func TestHostilePatternIsFast(t *testing.T) {
	if glob.Match(strings.Repeat("*a", 200)+"b", strings.Repeat("a", 4000)) {
		t.Error("matched")
	}
	if glob.Match(strings.Repeat("**/a/", 200)+"b", strings.Repeat("a/", 2000)) {
		t.Error("matched")
	}
}

// TestAgreesWithPathMatch: without "**" and "[!" the syntax is that of the standard library's path.Match.
func TestAgreesWithPathMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringOfN(rapid.RuneFrom([]rune(`ab/?[]^-\é`)), 0, 8, -1).Draw(t, "pattern")
		if rapid.Bool().Draw(t, "star") {
			pattern = "*" + pattern + "*"
		}
		name := rapid.StringOfN(rapid.RuneFrom([]rune("ab/]-é")), 0, 8, -1).Draw(t, "name")
		want, err := path.Match(pattern, name)
		if err != nil || glob.Valid(pattern) != nil || strings.Contains(pattern, "[]") || strings.Contains(pattern, "[^]") ||
			strings.Contains(pattern, "**") || classWithSlash(pattern) {
			t.Skip("malformed, or a class that path.Match reads differently")
		}
		if got := glob.Match(pattern, name); got != want {
			t.Fatalf("Match(%q, %q) = %v, path.Match says %v", pattern, name, got, want)
		}
	})
}

func classWithSlash(pattern string) bool {
	i := strings.IndexByte(pattern, '[')
	return i >= 0 && strings.ContainsRune(pattern[i:], '/')
}

func FuzzMatch(f *testing.F) {
	f.Add("a/**/[b-c]*", "a/x/bd")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if glob.Match(pattern, name) && glob.Valid(pattern) != nil {
			t.Errorf("a malformed pattern matched: %q, %q", pattern, name)
		}
		glob.Match("**", name)
	})
}
