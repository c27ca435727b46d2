package index

import (
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// stem is what a word becomes: the term, and whether it is a stop word where it stands alone.
type stem struct {
	term string
	stop bool
}

// maxStems bounds the cache. Words repeat as Zipf says: 32,768 of them are nearly all that a corpus uses often, in about
// 3 MB; a full cache is emptied, which costs less than choosing what to drop.
const maxStems = 1 << 15

// stem folds a word (lower case, no accents, at most maxTerm bytes) and, where only ASCII letters are left, takes its
// ending off by the English snowball rules (Porter 2). The same is done to whole words, parts of identifiers and
// queries, so they meet; words of other languages keep meeting themselves.
func (a *analyzer) stem(word []byte) stem {
	a.folded = appendFolded(a.folded[:0], clip(word))
	folded := clip(a.folded)
	if s, ok := a.stems[string(folded)]; ok {
		return s
	}
	if len(a.stems) >= maxStems {
		clear(a.stems)
	}
	key := string(folded)
	s := stem{term: key, stop: isStop(key)}
	if isLetters(key) {
		env := snowballstem.NewEnv(key)
		english.Stem(env)
		s.term = strings.Clone(env.Current()) // not a slice of a longer string
	}
	a.stems[key] = s
	return s
}

// clip cuts a word to maxTerm bytes, between two characters.
func clip(word []byte) []byte {
	if len(word) <= maxTerm {
		return word
	}
	end := maxTerm
	for end > 0 && !utf8.RuneStart(word[end]) {
		end--
	}
	return word[:end]
}

func isLetters(s string) bool {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}

// isStop tells the words that nearly every English chunk holds: they rank nothing, and their postings are the longest.
// Words that carry meaning in questions (not, no, if, what, how) stay.
func isStop(word string) bool {
	switch word {
	case "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "in", "is", "it", "of", "on", "or", "that",
		"the", "their", "these", "they", "this", "to", "was", "were", "will", "with":
		return true
	}
	return false
}
