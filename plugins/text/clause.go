package main

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// clause is where a numbered clause begins: its numbers ("4.2": 4, 2) with the letter of one put in later ("3a"), its
// label as written and its line.
type clause struct {
	line    line
	numbers []int
	letter  string
	label   string
	// word is what stands before the number, in small letters; "" where the number stands alone.
	word string
	// title tells that the line is one ("§ 2 Exceptions") and not the beginning of a sentence.
	title bool
	// rank orders clauses from the outermost: one is a part of the last before it of a lower rank.
	rank int
}

var (
	// named matches "Article 5", "Section 2.1", "ARTICLE IV", "§ 3a" and the like at the start of a block.
	named = regexp.MustCompile(`^[ \t]*(((?i:article|art\.|section|sec\.|clause|chapter|part|title|schedule|artikel|` +
		`abschnitt|kapitel|artículo|cláusula|capítulo|chapitre|titre|articolo|artigo|paragraf|статья|глава|пункт)|§§?)[ \t]*` +
		`(\d{1,4}(?:\.\d{1,3})*|[IVXLC]{1,8})([a-z]?))(?:[.:)]|[ \t]|[-–—]|$)`)
	// han matches "第5条" and "第2章".
	han = regexp.MustCompile(`^[ \t　]*(第 ?(\d{1,4}) ?([条條章節节]))`)
	// dotted matches "1.", "1.2" and "1.2.3" at the start of a line.
	dotted = regexp.MustCompile(`^[ \t]*((\d{1,3}(?:\.\d{1,3})*)[.)]?)[ \t]+\S`)
)

// readClauses reads what may be clauses: by a word, at the start of a block, and by numbers alone.
func readClauses(src []byte) (words, numbers []clause) {
	gap := true
	for at := 0; at < len(src); {
		l := lineAt(src, at)
		at = l.next
		if l.blank(src) {
			gap = true
			continue
		}
		head := l.head(src)
		text := bytes.TrimLeft(head, " \t　")
		if gap && mayName(text) {
			if c, ok := readNamed(head, l); ok {
				c.title = isTitle(bytes.TrimSpace(text))
				words = append(words, c)
			}
		}
		if len(text) > 0 && isDigit(text[0]) {
			if c, ok := readDotted(head, l); ok {
				numbers = append(numbers, c)
			}
		}
		gap = false
	}
	return words, numbers
}

// mayName tells by its first letters whether a text can begin with a clause's word, since few lines do.
func mayName(text []byte) bool {
	if len(text) < 3 {
		return false
	}
	switch text[0] | 0x20 {
	case 'a', 'c', 'k', 'p', 's', 't':
		return bytes.ContainsAny(text[:min(len(text), 20)], "0123456789IVXLC")
	}
	return text[0] >= utf8.RuneSelf
}

func readNamed(head []byte, l line) (clause, bool) {
	if m := named.FindSubmatch(head); m != nil {
		return clause{line: l, numbers: numbersOf(string(m[3])), letter: string(m[4]), label: string(m[1]),
			word: wordOf(string(m[2]))}, true
	}
	if m := han.FindSubmatch(head); m != nil {
		return clause{line: l, numbers: numbersOf(string(m[2])), label: string(m[1]), word: string(m[3])}, true
	}
	return clause{}, false
}

// wordOf makes one word of a word and its abbreviation.
func wordOf(s string) string {
	switch s = strings.ToLower(s); s {
	case "art.":
		return "article"
	case "sec.":
		return "section"
	case "§§":
		return "§"
	}
	return s
}

func readDotted(head []byte, l line) (clause, bool) {
	m := dotted.FindSubmatch(head)
	if m == nil || bytes.Count(m[2], []byte(".")) == 0 && len(m[1]) == len(m[2]) {
		return clause{}, false // a number alone begins a sentence as well as a clause
	}
	return clause{line: l, numbers: numbersOf(string(m[2])), label: string(m[1])}, true
}

// numbersOf reads numbers with points between them, or one Roman number.
func numbersOf(s string) []int {
	if s[0] > '9' {
		return []int{roman(s)}
	}
	var ns []int
	for part := range strings.SplitSeq(s, ".") {
		n, _ := strconv.Atoi(part) // the patterns match digits alone, four at most
		ns = append(ns, n)
	}
	return ns
}

// roman reads a Roman number of the letters up to C; one that is none gives a number that fits no order.
func roman(s string) int {
	values := map[byte]int{'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100}
	n := 0
	for i := range len(s) {
		v := values[s[i]]
		if i+1 < len(s) && v < values[s[i+1]] {
			v = -v
		}
		n += v
	}
	return n
}
