package ignore_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cleave-project/cleave/core/ignore"
)

const (
	silent = ignore.Silent
	leave  = ignore.Ignored
	kept   = ignore.Kept
)

func TestMatch(t *testing.T) {
	for _, tc := range []struct {
		file, path string
		dir        bool
		want       ignore.Verdict
	}{
		{"a", "a", false, leave},
		{"a", "x/a", true, leave},
		{"a", "ab", false, silent},
		{"a\n!a", "a", false, kept},
		{"!a\na", "a", false, leave},
		{"/a", "x/a", false, silent},
		{"x/a", "x/a", false, leave},
		{"x/a", "y/x/a", false, silent},
		{"a/", "a", false, silent},
		{"a/", "x/a", true, leave},
		{"x/a/", "x/a", true, leave},
		{"*.md", "x/y.md", false, leave},
		{"/*.md", "x/y.md", false, silent},
		{"x/*", "x/y/z", false, silent},
		{"x/**", "x/y/z", false, leave},
		{"x/**", "x", true, silent},
		{"**/z", "z", false, leave},
		{"x/**/z", "x/z", false, leave},
		{"x/**/z", "x/a/b/z", false, leave},
		{"a/b**/c", "a/bx/y/c", false, leave},    // the literal start is taken off first
		{"a/?b**/c", "a/xbx/y/c", false, silent}, // here it is not literal
		{"[a-c]x", "bx", false, leave},
		{"[!a-c]x", "bx", false, silent},
		{"[]-]", "]", false, leave},
		{"a[/]b", "a/b", false, silent},
		{"[[:digit:]]", "7", false, leave},
		{"[[:nope:]]", "n", false, silent},
		{"[a", "[a", false, silent},
		{"a\\", "a\\", false, silent},
		{"a\\*", "a*", false, leave},
		{"a\\*", "ab", false, silent},
		{"?", "\xff", false, leave},
		{"??", "é", false, leave}, // bytes, not characters
		{"#a", "#a", false, silent},
		{"\\#a", "#a", false, leave},
		{"\\!a", "!a", false, leave},
		{"a  ", "a", false, leave},
		{"a\\ ", "a ", false, leave},
		{"a\t", "a", false, silent},
		{"a\r\nb", "a", false, leave},
		{"\xEF\xBB\xBFa", "a", false, leave},
		{"A", "a", false, silent},
		{"", "a", false, silent},
		{"/", "a", true, silent},
		{"!", "a", false, silent},
	} {
		if got := ignore.Parse([]byte(tc.file)).Match(tc.path, tc.dir); got != tc.want {
			t.Errorf("%q, %q (dir %t): %v, want %v", tc.file, tc.path, tc.dir, got, tc.want)
		}
	}
}

// No pattern makes a match slow, whatever stands in somebody's ignore file (I13).
func TestMatchIsBounded(t *testing.T) {
	name := strings.Repeat("a", 4000)
	for _, pattern := range []string{strings.Repeat("*a", 100) + "b", strings.Repeat("**/", 100) + "b", strings.Repeat("a*?", 100) + "/b"} {
		start := time.Now()
		for _, path := range []string{name, strings.Repeat("a/", 2000) + "a"} {
			if v := ignore.Parse([]byte(pattern)).Match(path, false); v != silent {
				t.Errorf("%.10q...: %v", pattern, v)
			}
		}
		if d := time.Since(start); d > 5*time.Second { // it takes milliseconds; going back would take for ever
			t.Errorf("%.10q...: %v", pattern, d)
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add([]byte("[a-\\]]*\n!**/x\\"), "a/b", true)
	f.Fuzz(func(t *testing.T, file []byte, path string, dir bool) {
		r := ignore.Parse(file)
		if v := r.Match(path, dir); r.Empty() && v != silent {
			t.Errorf("an empty file says %v", v)
		}
	})
}
