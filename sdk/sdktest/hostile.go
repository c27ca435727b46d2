package sdktest

import (
	"iter"
	"strings"
)

// hostile yields content that has broken parsers of every kind, under names that say what it is. A splitter may refuse
// any of it, but not die of it, hang or lie.
func hostile() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, h := range hostileContent {
			if !yield("hostile/"+h.name, []byte(h.content)) {
				return
			}
		}
	}
}

// A line of long bytes finds what is quadratic; nesting of deep levels, what recurses for each.
const (
	long = 200_000
	deep = 2_000
)

var hostileContent = []struct{ name, content string }{
	{"empty", ""},
	{"newline", "\n"},
	{"spaces", " \t \n\n \u00a0\u3000\n"},
	{"letter", "a"},
	{"no newline at the end", "# a\n\nb"},
	{"crlf", "# a\r\n\r\nb\r\n- c\r\n- d\r\n\r\n| a | b |\r\n|---|---|\r\n| 1 | 2 |\r\n"},
	{"lone cr", "a\rb\r\rc\r"},
	{"unicode line breaks", "a\u2028b\u2029c\u0085d\ve\ff"},
	{"characters of all lengths", "a\u00e9\u20ac\U0001F600\n\n\u0915\u094D\u0937 \u0e01\u0e33 \U0001F468\u200d\U0001F469\u200d\U0001F467\n"},
	{"bom inside", "a\ufeffb\n\n\ufeff# c\n"},
	{"nul", "a\x00b\n\n\x00\n"},
	{"long line", strings.Repeat("word ", long/5) + "\n"},
	{"long word", strings.Repeat("x", long)},
	{"many lines", strings.Repeat("a\n\n", long/3)},
	{"deep brackets", strings.Repeat("[", deep) + strings.Repeat("]", deep)},
	{"deep quotes", strings.Repeat("> ", deep) + "a\n"},
	{"deep list", strings.Repeat("- ", deep) + "a\n"},
	{"deep tags", strings.Repeat("<div>", deep) + "a" + strings.Repeat("</div>", deep) + "\n"},
	{"open fence", "a\n\n```go\nfunc main() {\n"},
	{"open front matter", "---\ntitle: a\nb: c\n"},
	{"open quote", "a,b\n\"c,d\ne,f\n"},
	{"open comment", "a\n\n<!-- b\n\nc\n"},
	{"ragged table", "| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |\n||\n"},
	{"headings without text", "#\n##\n###\n\n=\n-\n\na\n=\n"},
}
