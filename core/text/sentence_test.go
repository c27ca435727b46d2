package text_test

import (
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cleave-project/cleave/core/text"
	"github.com/cleave-project/cleave/sdk"
)

func parts(s string, f func([]byte) iter.Seq[sdk.Span]) []string {
	var out []string
	for x := range f([]byte(s)) {
		out = append(out, s[x.Start:x.End])
	}
	return out
}

// TestSentences writes each sentence between bars; the text is the line without them. The sources of the right answers:
// UAX #29 section 5 and its examples for plain boundaries; Duden's rules for German abbreviations and ordinals; The
// Chicago Manual of Style, chapter 10, for English ones; CommonMark 5.2 for list markers.
func TestSentences(t *testing.T) {
	for name, want := range map[string]string{
		"plain":                 "He came. |She went! |Did they meet? |No.",
		"lower case goes on":    "It was approx. five and so on.", // UAX #29 SB8
		"decimals":              "Pi is 3.14 or so. |Version v1.2.3 is out. |Cost: $1,000.50 each.",
		"quotes":                "\"Stop.\" |He did. |(It was late.) |So it was.", // SB9, SB11
		"quoted question":       "\"Really?\" he asked. |“Go!” she said. |»Nein!« rief er. |\"Why?\" |He left.",
		"address":               "See http://x.org/a?b=c!1 for it. |Why?|Because.",
		"quoted in japanese":    "彼は「行こう。」と言った。|「はい。」って。|「本当？」|はい！",
		"ellipsis":              "Wait... |What?",
		"english titles":        "Dr. Smith met Mr. and Mrs. Jones. |Prof. Lee came too.",
		"english inner":         "Use fruit, e.g. Apples, i.e. Pomes. |See cf. Smith vs. Jones, approx. Five.",
		"english closing":       "Cats, dogs, etc. |They all live. |Acme Inc. Holdings pays. |It is Acme Inc. |The firm pays.",
		"figures":               "See Fig. 3 and No. 5 in Vol. IV of it. |The answer is no. |Ask again.",
		"no as a word":          "I said no. |I am sure.",
		"months":                "On Jan. 5 we met. |We met in Jan. |It was cold.",
		"initials":              "J. Smith and J. R. R. Tolkien wrote. |They read.",
		"acronym inside":        "The U.S. Army came. |He lives in the U.S. |The rest left.",
		"a.m.":                  "At 5 p.m. Eastern we met. |At 6 a.m. |He slept.",
		"single letter at end":  "This is plan B. |The next is plan C.",
		"pronoun":               "So do I. |Then we agree.",
		"german inner":          "Das gilt z. B. Montags, d. h. Immer. |Vgl. Abb. 3 bzw. Nr. 5 auf S. 12. |Ende.",
		"german no spaces":      "Das gilt z.B. Montags, u.a. Dienstags. |Der Rest folgt.",
		"german three parts":    "Er kommt i. d. R. Montags. |Sie nicht.",
		"german closing":        "Äpfel, Birnen usw. |Die Liste ist lang. |Äpfel usw. Nüsse gibt es.",
		"german ordinals":       "Am 3. Oktober war es. |Der 2. Weltkrieg endete. |Es war 1999. |Dann kam 2000.",
		"french":                "M. Dupont et Mme. Durand, p. ex. Lundi. |Il vient.",
		"spanish":               "El Sr. García vive en EE.UU. |La Sra. López también. |¿Vienes? |¡Sí!",
		"initial after no":      "P. Miller and S. Jones, p. 5 and S. 6. |Good.",
		"wrapped":               "A line that is\nwrapped goes on. |It ends\nhere.\n|",
		"wrapped windows":       "A line that is\r\nwrapped goes on. |Next.\r\n|",
		"wrapped after end":     "One.\n|Two.\n|Three",
		"blank line ends":       "A heading\n\n|Some text\nthat goes on\n \t\n|Last",
		"numbered list":         "1. First item\n|2. Second item. |With more.\n|3. Third",
		"wrapped number":        "It was in the year\n1999. |Then came more.\n|It has about\n12. |Twelve.",
		"bullets":               "- One\n|- Two. |More\n  wrapped\n|* Three",
		"lettered":              "a) One\n|b) Two\n|c) Three",
		"section number":        "1.2.3. Scope of it. |More.",
		"number as a sentence":  "How many? |42. |Then he left.",
		"chinese":               "他来了。|她走了！|「好吗？」|他问。",
		"chinese quotes":        "他说：“好。”|“是。”|（完）",
		"japanese":              "これは文です。|次の文です。",
		"hindi":                 "यह वाक्य है। |यह दूसरा है।",
		"arabic":                "هل جاء؟ |نعم جاء.",
		"burmese":               "မင်္ဂလာပါ။ |နေကောင်းလား။",
		"khmer":                 "សួស្តី។ |អរគុណ។",
		"leading blank":         "\n\n  Text. |More.",
		"nothing but blank":     " \n\n\t\n ",
		"no-break space":        "Das gilt z.\u00a0B. Montags.",
		"line separator breaks": "One line\u2028|another", // SB4
	} {
		t.Run(name, func(t *testing.T) {
			var sentences []string
			for _, s := range strings.Split(want, "|") {
				if s != "" {
					sentences = append(sentences, s)
				}
			}
			got := parts(strings.ReplaceAll(want, "|", ""), text.Sentences)
			if d := cmp.Diff(sentences, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// splitters are all functions that partition a text.
var splitters = map[string]func([]byte) iter.Seq[sdk.Span]{
	"sentences": text.Sentences, "words": text.Words, "graphemes": text.Graphemes, "lines": text.Lines,
	"paragraphs": text.Paragraphs,
}

func checkPartition(t interface{ Fatalf(string, ...any) }, name string, b []byte) {
	end := 0
	for s := range splitters[name](b) {
		if s.Start != end || s.End <= s.Start || s.End > len(b) {
			t.Fatalf("%s of %q: span %v after %d", name, b, s, end)
		}
		end = s.End
	}
	if end != len(b) {
		t.Fatalf("%s of %q: end at %d of %d", name, b, end, len(b))
	}
}

func TestPartition(t *testing.T) {
	bits := []string{"a", "Word", ".", ". ", "z. B.", "e.g.", "Dr.", "1.", "2)", "- ", "\n", "\r\n", "\r", "\n\n", " ", "\t", "。",
		"「", "」", "\"", ")", "!", "?", "é", "e\u0301", "👩‍👩‍👧", "🇩🇪", "क्ष", "\u2028", "\u0085", "\xff", "\x00", "한", "...", "．"}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(rapid.SampledFrom(bits)).Draw(t, "bits"), "")
		for name := range splitters {
			checkPartition(t, name, []byte(s))
		}
	})
}

func FuzzPartition(f *testing.F) {
	f.Add([]byte("One. Two\n\n1. Three z. B. Four\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for name := range splitters {
			checkPartition(t, name, b)
		}
	})
}

// TestEarlyStop: a consumer that stops is not called again.
func TestEarlyStop(t *testing.T) {
	for name, f := range splitters {
		n := 0
		for range f([]byte("One. Two.\n\nThree. Four.\n- Five\n- Six")) {
			if n++; n == 2 {
				break
			}
		}
		if n != 2 {
			t.Errorf("%s: %d spans, want 2", name, n)
		}
	}
}

// TestHostile runs long texts that quadratic work would not get through in the time of a test.
func TestHostile(t *testing.T) {
	const n = 1 << 20
	for name, s := range map[string]string{
		"one sentence":          strings.Repeat("word ", 2*n),
		"no blank line":         strings.Repeat("A line of text that goes on\n", n/14),
		"spaces behind period":  "end." + strings.Repeat(" ", n) + "Next",
		"closing behind period": "end." + strings.Repeat(")", n),
		"closing quotes":        "end." + strings.Repeat("”", n/3),
		"digits behind period":  strings.Repeat("end. ) ", 8) + strings.Repeat("1 ", n/2),
		"periods":               strings.Repeat(".", n),
		"initials":              strings.Repeat("a. ", n/3),
		"indented initials":     strings.Repeat(" ", n) + strings.Repeat("b. C. ", n/6),
		"initials and a gap":    "1." + strings.Repeat(" ", n) + strings.Repeat("B. C. ", n/6),
		"dotted":                strings.Repeat("a.", n/2),
		"marks":                 "a" + strings.Repeat("\u0301", n/2),
		"marks behind period":   "a. " + strings.Repeat("\u0301", n/2),
		"joiners":               strings.Repeat("👩\u200d", n/8),
		"flags":                 strings.Repeat("🇩", n/4),
		"colons":                strings.Repeat("a:", n/2),
		"apostrophes":           "a" + strings.Repeat("'", n),
		"letters":               strings.Repeat("a", n),
		"line breaks":           strings.Repeat("\n", n),
		"carriage returns":      strings.Repeat("\r", n),
		"blank and letter":      strings.Repeat(" \n", n/4) + "a" + strings.Repeat(" \n", n/4),
		"hebrew quotes":         strings.Repeat("א\"", n/3),
	} {
		for f := range splitters {
			t.Run(f+"/"+name, func(t *testing.T) { checkPartition(t, f, []byte(s)) })
		}
	}
}
