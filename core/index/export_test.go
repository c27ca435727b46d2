package index

import (
	"iter"
	"reflect"
)

// Terms analyses a text as a row's.
func Terms(text string) []string {
	var terms []string
	newAnalyzer().terms([]byte(text), func(term string, _ bool) { terms = append(terms, term) })
	return terms
}

// QueryTerms analyses a text as a query; a term that stands for all that begin with it ends in "*".
func QueryTerms(text string) []string {
	var terms []string
	for _, t := range newAnalyzer().queryTerms(text) {
		if t.prefix {
			t.text += "*"
		}
		terms = append(terms, t.text)
	}
	return terms
}

// Documents lists what a view holds, for comparison: rows, entry and the rest of each document.
func (v *View) Contents() map[string]Document {
	all := make(map[string]Document)
	for _, m := range []map[pathKey]*Document{v.base, v.over} {
		for key, d := range m {
			if d != nil && v.document(key) == d {
				all[string(d.Path)] = *d
			}
		}
	}
	return all
}

// Spare counts the rows that Sweep would look at.
func (x *Index) Spare() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.spare)
}

// Ours tells the package's own types to go-cmp.
func Ours(t reflect.Type) bool { return t.PkgPath() == "github.com/cleave-project/cleave/core/index" }

// TermsOfAll analyses many texts with one analyzer and drops the terms.
func TermsOfAll(texts iter.Seq[string]) {
	a := newAnalyzer()
	for text := range texts {
		a.terms([]byte(text), func(string, bool) {})
	}
}
