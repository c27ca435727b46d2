package index_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/cleave-project/cleave/core/index"
)

func TestTerms(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"prose", "The servers are running quickly.", "server run quick"},
		{"possessive", "the user's files, the server’s", "user file server"},
		{"camel", "getUserName", "get user name getusernam"},
		{"snake", "get_user_name", "get user name getusernam"},
		{"kebab", "get-user-name", "get user name getusernam"},
		{"dotted", "fmt.Println", "fmt println fmtprintln"},
		{"capitals", "HTTPServer", "http server httpserver"},
		{"capitals in the middle", "parseHTTPRequest", "pars http request parsehttprequest"},
		{"one capital", "ATable", "a tabl atabl"},
		{"digits", "utf8 sha256sum", "utf 8 utf8 sha 256 sum sha256sum"},
		{"all capitals", "README", "readm"},
		{"mixed", "max_batchSize", "max batch size batchsiz maxbatchs"},
		{"stop words of identifiers stay", "is_valid", "is valid isvalid"},
		{"version", "v1.27.3", "v 1 v1 27 3 v1273"},
		{"double underscore", "__init__ a__b", "init a b ab"},
		{"sentence end", "the end. Next", "end next"},
		{"dashes", "one--two three...four", "one two three four"},
		{"trailing hyphen", "pre- and post-", "pre post"},
		{"accents", "Café RÉSUMÉ naïve", "cafe resum naiv"},
		{"sharp s", "Straße STRASSE", "strass strass"},
		{"letters that do not decompose", "Øresund łódź Æther", "oresund lodz aether"},
		{"decomposed", "cafe\u0301", "cafe"},
		{"wide identifier", "größeÄndern", "gross andern grosseandern"},
		{"Cyrillic", "Съешь ещё", "съешь еще"},
		{"Greek", "ΑΘΗΝΑ Ἀθῆναι", "αθηνα αθηναι"},
		{"Hindi keeps its vowels", "हिन्दी", "हिन्दी"},
		{"Chinese", "数据库索引", "数据 据库 库索 索引 引"},
		{"one character", "猫 3", "猫 3"},
		{"Japanese", "東京タワーへ", "東京 京タ タワ ワー ーへ へ"},
		{"Korean", "데이터베이스", "데이 이터 터베 베이 이스 스"},
		{"half width", "ﾃﾞｰﾀ", "デー ータ タ"},
		{"full width", "ＡＢＣ１", "abc 1 abc1"},
		{"mixed scripts", "Redis缓存key", "redi 缓存 存 key"},
		{"punctuation beyond ASCII", "“quoted”—dash…", "quot dash"},
		{"emoji", "fast 🚀 rocket", "fast rocket"},
		{"not UTF-8", "good\xff\xfebad", "good bad"},
		{"hash", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
			"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
		{"long run", strings.Repeat("Ab1", 100), strings.Repeat("ab1", 22)[:64]},
		{"nothing", " \t--- ... !", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, strings.Join(index.Terms(test.text), " ")); diff != "" {
				t.Errorf("terms of %q (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

func TestQueryTerms(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"索引", "索引"},
		{"猫", "猫*"},
		{"How do I configure the server?", "configur server"},
		{"How?", "how"}, // nothing else to go by
		{"How often is the dewar filled?", "often dewar fill"},
	} {
		if got := strings.Join(index.QueryTerms(test.text), " "); got != test.want {
			t.Errorf("query %q: got %q, want %q", test.text, got, test.want)
		}
	}
}

// The time is in the length of the text, whatever it is made of (I13).
func TestTermsAreLinear(t *testing.T) {
	for _, unit := range []string{"_", "a_", "a__", "Aa", "a1", "é", "e\u0301", "\u0301", "é_", "猫", "猫a", "\xff", "a—", "ﬁ", "'s", "-é"} {
		text := "a" + strings.Repeat(unit, 1<<20/len(unit))
		done := make(chan struct{})
		go func() { defer close(done); index.Terms(text) }()
		select {
		case <-done:
		case <-time.After(20 * time.Second): // a quadratic walk of 1 MiB takes minutes
			t.Fatalf("1 MiB of %q is not done after 20 s", unit)
		}
	}
}

// FuzzTerms: any bytes give terms that are valid UTF-8, not empty and bounded, and the same ones twice.
func FuzzTerms(f *testing.F) {
	for _, seed := range []string{"getUserName", "a__b--c.d", "数据ー\u0301x", "\xff-\xfe", "e\u0301_É1ﬁ", "'s’s", "ก็ A"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		terms := index.Terms(text)
		for _, term := range terms {
			// Folding may make a term longer than the word it was cut to; it is cut again.
			if term == "" || len(term) > 64 || !utf8.ValidString(term) {
				t.Errorf("terms of %q: bad term %q", text, term)
			}
		}
		if diff := cmp.Diff(terms, index.Terms(text)); diff != "" {
			t.Errorf("terms of %q differ:\n%s", text, diff)
		}
	})
}
