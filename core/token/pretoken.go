package token

import "unicode/utf8"

// The patterns of the two encodings, as published with them, are regular expressions with a lookahead, which package
// regexp does not have; the functions below match them by hand. Each alternative is tried in the order of the pattern,
// and repetition is greedy. "Open" results are those that looked at the end of the text.

// nextCL100K matches the pattern of cl100k_base:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)
//	|[^\r\n\p{L}\p{N}]?\p{L}+
//	|\p{N}{1,3}
//	| ?[^\s\p{L}\p{N}]+[\r\n]*
//	|\s*[\r\n]+
//	|\s+(?!\S)
//	|\s+
func nextCL100K(c *classes, text []byte, i int) (int, bool) {
	if n := contraction(text, i); n > 0 {
		return i + n, false
	}
	k, w := c.at(text, i)
	j := i
	if k&(newline|letter|number) == 0 {
		j += w
	}
	if e := c.run(text, j, letter); e > j {
		return e, e == len(text)
	}
	if k&number != 0 {
		return digits(c, text, i)
	}
	if e := symbols(c, text, i); e > 0 {
		for e < len(text) && (text[e] == '\r' || text[e] == '\n') {
			e++
		}
		return e, e == len(text)
	}
	return blanks(c, text, i)
}

// nextO200K matches the pattern of o200k_base:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	|\p{N}{1,3}
//	| ?[^\s\p{L}\p{N}]+[\r\n/]*
//	|\s*[\r\n]+
//	|\s+(?!\S)
//	|\s+
func nextO200K(c *classes, text []byte, i int) (int, bool) {
	k, w := c.at(text, i)
	j := i
	if k&(newline|letter|number) == 0 {
		j += w
	}
	if e, open := casedWord(c, text, i, j, k); e > 0 {
		if n := contraction(text, e); n > 0 {
			return e + n, open
		}
		return e, open || e == len(text) || text[e] == '\'' && len(text)-e < longestContraction
	}
	if k&number != 0 {
		return digits(c, text, i)
	}
	if e := symbols(c, text, i); e > 0 {
		for e < len(text) && (text[e] == '\r' || text[e] == '\n' || text[e] == '/') {
			e++
		}
		return e, e == len(text)
	}
	return blanks(c, text, i)
}

// casedWord matches o200k_base's first two alternatives without the contraction at text[i]; j is where the letters
// begin when the optional first character, of class k, is taken. It returns 0 where neither matches.
func casedWord(c *classes, text []byte, i, j int, k class) (end int, open bool) {
	end, head, open := lowerEnding(c, text, j)
	if end > 0 {
		return end, open
	}
	// The first alternative again without the optional character, which helps only where that is a mark.
	if j > i && k&mark != 0 {
		return j, open
	}
	// The second alternative. The first failed at j, so no lower case letter follows the run, and it is all there is.
	if head > j {
		return head, open
	}
	return 0, false
}

// lowerEnding matches [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+ at text[j]. It returns the end of the
// match, 0 for none, and the end of the leading run of the first set. Where no lower case letter follows the run, the
// match gives characters back until the last one that is in both sets.
func lowerEnding(c *classes, text []byte, j int) (end, head int, open bool) {
	both := 0
	for head = j; head < len(text); {
		k, w := c.at(text, head)
		if k&(upper|caseless|mark) == 0 {
			break
		}
		head += w
		if k&(caseless|mark) != 0 {
			both = head
		}
	}
	if head == len(text) {
		return both, head, true
	}
	if end = c.run(text, head, lower|caseless|mark); end > head {
		return end, head, end == len(text)
	}
	return both, head, false
}

// digits matches \p{N}{1,3}.
func digits(c *classes, text []byte, i int) (int, bool) {
	e := i
	for n := 0; n < 3 && e < len(text); n++ {
		k, w := c.at(text, e)
		if k&number == 0 {
			break
		}
		e += w
	}
	return e, e == len(text)
}

// symbols matches " ?[^\s\p{L}\p{N}]+" and returns its end, or 0.
func symbols(c *classes, text []byte, i int) int {
	if text[i] == ' ' {
		i++
	}
	if e := c.runNot(text, i, space|letter|number); e > i {
		return e
	}
	return 0
}

// blanks matches \s*[\r\n]+|\s+(?!\S)|\s+ where a white space character stands at text[i]: up to the last line break
// of the run, else the run without its last character, which then leads the next word, unless it is all there is.
func blanks(c *classes, text []byte, i int) (int, bool) {
	end, last, line := i, i, 0
	for end < len(text) {
		k, w := c.at(text, end)
		if k&space == 0 {
			break
		}
		last = end
		end += w
		if k&newline != 0 {
			line = end
		}
	}
	switch {
	case line > 0:
		return line, end == len(text)
	case end == len(text) || last == i:
		return end, end == len(text)
	}
	return last, false
}

// longestContraction is the length in bytes of "'re", "'ve", "'ll" and of "'" with U+017F, which folds to s.
const longestContraction = 3

// contraction is the length of the match of (?i:'s|'t|'re|'ve|'m|'ll|'d) at text[i], or 0.
func contraction(text []byte, i int) int {
	if len(text)-i < 2 || text[i] != '\'' {
		return 0
	}
	switch text[i+1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	}
	if len(text)-i < 3 {
		return 0
	}
	if r, w := utf8.DecodeRune(text[i+1:]); r == 'ſ' {
		return 1 + w
	}
	switch string([]byte{text[i+1] | 0x20, text[i+2] | 0x20}) {
	case "re", "ve", "ll":
		return 3
	}
	return 0
}
