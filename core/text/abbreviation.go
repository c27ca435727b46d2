package text

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// goesOn tells whether a sentence that UAX #29 ends after sentence goes on in rest all the same, because the period at
// its end is that of an abbreviation or a number, or what ends it is quoted. It looks at the last words of sentence and
// the first of rest. Marker tells whether sentence begins a line and is short, so that it may be the marker of a list
// item.
func goesOn(sentence, rest []byte, marker bool) bool {
	body := bytes.TrimRightFunc(sentence, unicode.IsSpace)
	if !bytes.HasSuffix(body, []byte{'.'}) {
		return isQuoted(body, rest, len(body) == len(sentence))
	}
	body = body[:len(body)-1]
	last := lastToken(body)
	if len(last) == 0 || len(last) > longestToken {
		return false
	}
	before := body[:len(body)-len(last)]
	if marker && isEnumerator(bytes.TrimSpace(before), last) {
		return true
	}
	next := firstToken(rest)
	if isDigits(last) {
		return isOrdinal(last, before, next)
	}
	word := strings.ToLower(string(last))
	return isAbbreviation(chain(before, word), next) || isAbbreviation(word, next)
}

// longestToken is longer than every abbreviation listed, in bytes.
const longestToken = 24

// lastToken is the run of letters, marks, digits and inner periods that body ends with.
func lastToken(body []byte) []byte {
	i := len(body)
	for i > 0 && len(body)-i <= longestToken {
		r, w := utf8.DecodeLastRune(body[:i])
		if r != '.' && !isLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) {
			break
		}
		i -= w
	}
	return body[i:]
}

// firstToken is the first run of letters, marks and digits in rest, behind white space and opening punctuation, at most
// longestToken bytes of it.
func firstToken(rest []byte) string {
	rest = rest[:min(len(rest), 2*longestToken)]
	word := func(r rune) bool { return isLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }
	start := bytes.IndexFunc(rest, func(r rune) bool {
		return word(r) || !unicode.IsSpace(r) && !unicode.In(r, unicode.Ps, unicode.Pi) && r != '"' && r != '\''
	})
	if start < 0 {
		return ""
	}
	rest = rest[start:]
	if end := bytes.IndexFunc(rest, func(r rune) bool { return !word(r) }); end >= 0 {
		rest = rest[:end]
	}
	return string(rest)
}

// chain puts the single letters in front that belong to an abbreviation in several parts, each with its period: "B" in
// "z. B." becomes "z.b", "R" in "i. d. R." becomes "i.d.r". Before is what stands in front of last.
func chain(before []byte, last string) string {
	for range 3 { // no abbreviation listed has more than four parts
		before = bytes.TrimRightFunc(before, unicode.IsSpace)
		if !bytes.HasSuffix(before, []byte{'.'}) {
			break
		}
		before = before[:len(before)-1]
		r, w := utf8.DecodeLastRune(before)
		if !isLetter(r) {
			break
		}
		if p, _ := utf8.DecodeLastRune(before[:len(before)-w]); isLetter(p) || unicode.IsDigit(p) {
			break
		}
		before = before[:len(before)-w]
		last = strings.ToLower(string(r)) + "." + last
	}
	return last
}

// isAbbreviation tells whether a word, in lower case and without its last period, is an abbreviation that does not end
// the sentence before next.
func isAbbreviation(word, next string) bool {
	switch use := known[word]; {
	case use == inner, use == numbered && isNumeral(next):
		return true
	case use == closing, isDotted(word):
		// "i.d.r" is known as such; of "j.r" in "J. R. Tolkien" only the form is.
		return !beginsSentence(next)
	}
	return false
}

// isDotted holds for a single letter and for single letters with periods between them.
func isDotted(word string) bool {
	letters := 0
	for _, r := range word {
		if unicode.IsMark(r) {
			continue
		}
		if letters++; (letters%2 == 1) != isLetter(r) || letters%2 == 0 && r != '.' {
			return false
		}
	}
	return letters%2 == 1
}

// isEnumerator tells whether the sentence so far is nothing but the marker of a list item: a number, a letter or a small
// Roman number, with nothing in front but a bullet.
func isEnumerator(before, last []byte) bool {
	if r, w := utf8.DecodeRune(before); isBullet(r) || r == '#' || r == '>' || r == '(' {
		before = bytes.TrimSpace(before[w:])
	}
	if len(before) > 0 {
		return false
	}
	return isDigits(bytes.ReplaceAll(last, []byte{'.'}, nil)) || utf8.RuneCount(last) == 1 || isRoman(string(last))
}

func isDigits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

// isNumeral tells whether a word is what "No." and "Fig." are followed by: it begins with a digit, or is a Roman number
// or a single capital. I and A are words that begin sentences.
func isNumeral(word string) bool {
	r, w := utf8.DecodeRuneInString(word)
	if word == "I" || word == "A" {
		return false
	}
	return unicode.IsDigit(r) || isRoman(word) || w == len(word) && unicode.IsUpper(r)
}

func isRoman(word string) bool {
	return word != "" && len(word) <= 6 && (strings.Trim(word, "IVXLC") == "" || strings.Trim(word, "ivxlc") == "")
}

// isOrdinal tells whether a number with a period is a German ordinal ("am 3. Oktober", "der 2. Weltkrieg").
func isOrdinal(number, before []byte, next string) bool {
	if len(number) > 2 {
		return false
	}
	word := strings.ToLower(string(lastToken(bytes.TrimRightFunc(before, unicode.IsSpace))))
	return germanMonths[strings.ToLower(next)] || beforeOrdinals[word]
}

func beginsSentence(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r) && starters[strings.ToLower(word)]
}

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r)
}
