package token_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cleave-project/cleave/core/token"
)

func all(t testing.TB) []token.Tokenizer {
	return []token.Tokenizer{open(t, "cl100k_base"), open(t, "o200k_base"), open(t, bertName), open(t, "words")}
}

// mixes are what random texts are made of: what the patterns treat differently, and what makes boundaries move.
var mixes = []string{
	"a", "B", "the", " the", "Ab", "ABc", "iPhone", "don't", "'", "'s", "'S", "'ſ", "'re", "'VE", "'l", "'ll", "n't",
	" ", "  ", "     ", "\t", "\n", "\n\n", "\r\n", "\r", " \n", "\n ", "\u00a0", "\u3000", "\u2028", "\v", "\x85",
	"1", "12", "123", "1234", "٣", "Ⅷ", ".", "..", "/", "//", "!\n", "/\n", "(", ")", "[", "[CLS]", "[MASK]", "[MA", "]", "#", "≠",
	"é", "e\u0301", "\u0301", "\u0301\u0301", "Ç", "ǅ", "ʰ", "ß", "İ", "Σ", "世界", "界", "かな", "한국", "नमस्ते", "క్ష", "ไทย",
	"👩‍👩‍👧", "🇩🇪", "\u200d", "\ufeff", "\x00", "<|endoftext|>", "aaaaaaaaaaaaaaaa", "AAAAAAAAA", "----------------", "0000000000",
	strings.Repeat("x", 130), strings.Repeat(" ", 90), strings.Repeat("世", 70),
}

func drawText(t *rapid.T, label string) []byte {
	return []byte(strings.ToValidUTF8(strings.Join(rapid.SliceOfN(rapid.SampledFrom(mixes), 0, 24).Draw(t, label), ""), "\ufffd"))
}

// drawCut is a UTF-8 boundary in text[from:].
func drawCut(t *rapid.T, text []byte, from int, label string) int {
	i := rapid.IntRange(from, len(text)).Draw(t, label)
	for i < len(text) && !utf8.RuneStart(text[i]) {
		i++
	}
	return i
}

// TestCountOfSlices: a slice counted from its ends has exactly the count of tokenizing it (A5), with and without a prefix.
func TestCountOfSlices(t *testing.T) {
	for _, tok := range all(t) {
		t.Run(tok.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text, prefix := drawText(t, "text"), drawText(t, "prefix")
				m := token.Measure(tok, text)
				after := m.After(prefix)
				for range 8 {
					i := drawCut(t, text, 0, "start")
					j := drawCut(t, text, i, "end")
					if got, want := m.Count(i, j), tok.Count(text[i:j]); got != want {
						t.Fatalf("%q[%d:%d] = %q: got %d, want %d", text, i, j, text[i:j], got, want)
					}
					whole := append(append([]byte{}, prefix...), text[i:j]...)
					if got, want := after.Count(i, j), tok.Count(whole); got != want {
						t.Fatalf("%q + %q[%d:%d]: got %d, want %d", prefix, text, i, j, got, want)
					}
				}
			})
		})
	}
}

// TestCountOfSlicesOfGoldens takes random slices of each golden text, and of all of them in one.
func TestCountOfSlicesOfGoldens(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, tok := range all(t) {
		t.Run(tok.Name(), func(t *testing.T) {
			var joined []byte
			for _, g := range goldens(t) {
				for _, s := range g.texts {
					joined = append(joined, s...)
					if len(s) < 10_000 {
						checkSlices(t, rnd, tok, []byte(s), 3, len(s))
					}
				}
			}
			checkSlices(t, rnd, tok, joined, 3000, 3000)
			checkSlices(t, rnd, tok, joined, 5, len(joined))
		})
	}
}

func checkSlices(t *testing.T, rnd *rand.Rand, tok token.Tokenizer, text []byte, n, longest int) {
	t.Helper()
	m := token.Measure(tok, text)
	for range n {
		i := back(text, rnd.IntN(len(text)+1))
		j := back(text, i+rnd.IntN(min(longest, len(text)-i)+1))
		if got, want := m.Count(i, j), tok.Count(text[i:j]); got != want {
			t.Errorf("%q [%d:%d]: got %d, want %d", clip(string(text[i:j])), i, j, got, want)
		}
	}
}

func back(text []byte, i int) int {
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// TestFit: the result keeps the budget (I5), is on a UTF-8 boundary, and no later end nearby, up to the end of the next
// pre-token, keeps it too.
func TestFit(t *testing.T) {
	for _, tok := range all(t) {
		t.Run(tok.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text, prefix := drawText(t, "text"), drawText(t, "prefix")
				m := token.Measure(tok, text)
				if rapid.Bool().Draw(t, "with prefix") {
					m = m.After(prefix)
				}
				start := drawCut(t, text, 0, "start")
				budget := rapid.IntRange(0, 60).Draw(t, "max")
				end := m.Fit(start, budget)
				if end < start || end > len(text) || end < len(text) && !utf8.RuneStart(text[end]) {
					t.Fatalf("Fit(%d, %d) of %q: %d", start, budget, text, end)
				}
				if end > start && m.Count(start, end) > budget {
					t.Fatalf("Fit(%d, %d) of %q: %d has %d tokens", start, budget, text, end, m.Count(start, end))
				}
				if end < len(text) {
					_, w := utf8.DecodeRune(text[end:])
					if m.Count(start, end+w) <= budget {
						t.Fatalf("Fit(%d, %d) of %q: %d, but %d fits too", start, budget, text, end, end+w)
					}
				}
			})
		})
	}
}

// TestFitOfOneWord: for texts of one word or gap the work follows the result, not the text (I13): packing the whole
// would not come to its end otherwise.
func TestFitOfOneWord(t *testing.T) {
	const n = 1 << 17
	for name, text := range map[string]string{
		"one letter": strings.Repeat("a", n), "letters": strings.Repeat("qzjxkw", n/6), "blanks": strings.Repeat(" ", n),
		"digits": strings.Repeat("7", n), "breaks": strings.Repeat("\n", n), "signs": strings.Repeat("=-", n/2),
		"ideographs": strings.Repeat("世", n/3), "marks": strings.Repeat("\u0301", n/2),
	} {
		for _, tok := range all(t) {
			t.Run(name+"/"+tok.Name(), func(t *testing.T) {
				m := token.Measure(tok, []byte(text))
				for i, budget := 0, 400; i < len(text); {
					end := m.Fit(i, budget)
					if end == i {
						t.Fatalf("nothing fits at %d", i)
					}
					if c := m.Count(i, end); c > budget {
						t.Fatalf("[%d:%d] has %d tokens", i, end, c)
					}
					i = end
				}
			})
		}
	}
}

// TestOffsets: they never fall, end with the text, and are as many as Count says; for the byte pair encodings each piece
// between two of them is one token.
func TestOffsets(t *testing.T) {
	for _, tok := range all(t) {
		t.Run(tok.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text := drawText(t, "text")
				ends := tok.Offsets([]int{-7}, text)[1:]
				if len(ends) != tok.Count(text) {
					t.Fatalf("%q: %d offsets, Count %d", text, len(ends), tok.Count(text))
				}
				last := 0
				for _, e := range ends {
					if _, bpe := tok.(*token.BPE); e < last || bpe && e == last {
						t.Fatalf("%q: offsets %v", text, ends)
					}
					last = e
				}
				if len(ends) > 0 && last != len(text) {
					t.Fatalf("%q: last offset %d of %d", text, last, len(text))
				}
			})
		})
	}
}

// TestDecompositionIsShort: WordPiece has no more tokens than bytes, on which Measure relies: no character becomes more
// characters than it has bytes.
func TestDecompositionIsShort(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		s := string(r)
		if n := token.NormalRunes(s); n > len(s) {
			t.Errorf("%U of %d bytes becomes %d characters", r, len(s), n)
		}
	}
}

func FuzzMeasured(f *testing.F) {
	f.Add([]byte("Hello,  world\n\n it's"), uint16(2), uint16(9), []byte("A > B\n"))
	f.Add([]byte("[CLS \xff\x00  \n \n x"), uint16(1), uint16(5), []byte(" "))
	toks := all(f)
	f.Fuzz(func(t *testing.T, text []byte, i, j uint16, prefix []byte) {
		if !utf8.Valid(text) || !utf8.Valid(prefix) {
			for _, tok := range toks { // no promise about slices, but no panic either
				tok.Count(text)
				tok.Offsets(nil, text)
			}
			return
		}
		start := back(text, min(int(i), len(text)))
		end := max(start, back(text, min(int(j), len(text))))
		for _, tok := range toks {
			m := token.Measure(tok, text)
			if got, want := m.Count(start, end), tok.Count(text[start:end]); got != want {
				t.Fatalf("%s: %q[%d:%d]: got %d, want %d", tok.Name(), text, start, end, got, want)
			}
			whole := append(append([]byte{}, prefix...), text[start:end]...)
			if got, want := m.After(prefix).Count(start, end), tok.Count(whole); got != want {
				t.Fatalf("%s: %q + %q[%d:%d]: got %d, want %d", tok.Name(), prefix, text, start, end, got, want)
			}
		}
	})
}

// corpus is the text to measure speed on: the files of the folder CORPUS, joined, up to 8 MiB.
func corpus(b *testing.B) []byte {
	dir := os.Getenv("CORPUS")
	if dir == "" {
		b.Skip("CORPUS is not set")
	}
	var text []byte
	entries, err := os.ReadDir(dir)
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range entries {
		raw, err := os.ReadFile(dir + "/" + e.Name())
		if err == nil && utf8.Valid(raw) && len(text) < 8<<20 {
			text = append(text, raw...)
		}
	}
	return text
}

func BenchmarkCount(b *testing.B) {
	text := corpus(b)
	for _, tok := range all(b) {
		b.Run(tok.Name(), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				tok.Count(text)
			}
		})
	}
}

func BenchmarkFit(b *testing.B) {
	text := corpus(b)
	for _, tok := range all(b) {
		m := token.Measure(tok, text).After([]byte("Title > Chapter one > Section two\n"))
		b.Run(tok.Name(), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				for i := 0; i < len(text); {
					i = m.Fit(i, 400)
				}
			}
		})
	}
}

// BenchmarkLoad is the time and memory of the first Open of an encoding.
func BenchmarkLoad(b *testing.B) {
	for _, name := range []string{"cl100k_base", "o200k_base"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := token.Load(name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
