package index

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/cleave-project/cleave/core/object"
)

// Document is one document of a view: what filters and admission ask about (D3, I10), and which rows its chunks are.
// It is shared by views and must not be changed.
type Document struct {
	Path   object.Path
	Entry  object.Entry
	Lang   string
	Author string    // of the document's properties, as written there; several in one string
	Date   time.Time // of the document's properties; zero where they say none
	From   time.Time // effective from; zero: always
	To     time.Time // effective to, exclusive; zero: for ever

	rows   []rowOfChunk // ordered by words, then chunk
	labels []string     // kinds and languages that rows name by number
}

// rowOfChunk says which row the words of a chunk are in.
type rowOfChunk struct {
	words wordsKey
	chunk uint32
	kind  uint16 // in labels
	lang  uint16
}

// newDocument makes the view's document out of the records. chunks are doc's.
func newDocument(path object.Path, e object.Entry, doc *object.Document, chunks []object.Chunk) *Document {
	d := &Document{Path: path, Lang: doc.Lang, Author: author(doc.Meta), Date: documentDate(doc.Meta)}
	d.rows = make([]rowOfChunk, len(chunks))
	for i := range chunks {
		c := &chunks[i]
		d.rows[i] = rowOfChunk{words: keyOfWords(doc, c), chunk: uint32(i), kind: d.label(c.Kind), lang: d.label(c.Lang)}
	}
	slices.SortFunc(d.rows, func(a, b rowOfChunk) int {
		return cmp.Or(cmp.Compare(a.words, b.words), cmp.Compare(a.chunk, b.chunk))
	})
	d.setEntry(e)
	return d
}

// withEntry is the same document, of the same record, under another entry.
func (d *Document) withEntry(e object.Entry) *Document {
	changed := *d
	changed.setEntry(e)
	return &changed
}

// setEntry takes the entry. Effective dates were checked when they were configured; what is no date bounds nothing.
func (d *Document) setEntry(e object.Entry) {
	d.Entry = e
	d.From, _ = ParseDate(e.EffectiveFrom)
	d.To, _ = ParseDate(e.EffectiveTo)
}

// label finds or adds a kind or language. A document has a handful of them.
func (d *Document) label(name string) uint16 {
	i := slices.Index(d.labels, name)
	if i < 0 {
		i = len(d.labels)
		d.labels = append(d.labels, strings.Clone(name))
	}
	return uint16(i)
}

// chunksOf returns the chunks whose words are w, in order.
func (d *Document) chunksOf(w wordsKey) []rowOfChunk {
	first, found := slices.BinarySearchFunc(d.rows, w, func(r rowOfChunk, w wordsKey) int { return cmp.Compare(r.words, w) })
	if !found {
		return nil
	}
	end := first + 1
	for end < len(d.rows) && d.rows[end].words == w {
		end++
	}
	return d.rows[first:end]
}

// words are the rows, each once; chunks with equal words share one.
func (d *Document) words() iter.Seq[wordsKey] {
	return func(yield func(wordsKey) bool) {
		for i := range d.rows {
			if (i == 0 || d.rows[i].words != d.rows[i-1].words) && !yield(d.rows[i].words) {
				return
			}
		}
	}
}

// distinct counts the rows.
func (d *Document) distinct() int {
	n := 0
	for range d.words() {
		n++
	}
	return n
}

// author is who a document says wrote it; several in one string.
func author(meta map[string]string) string { return property(meta, "author", "authors", "creator") }

// documentDate is the date a document gives itself. When it was changed last is the weakest statement, and still better
// than what the file system says.
func documentDate(meta map[string]string) time.Time {
	for _, key := range []string{"date", "published", "created", "lastmod"} {
		if t, ok := ParseDate(property(meta, key)); ok {
			return t
		}
	}
	return time.Time{}
}

// property is the value of the first key that is there, in any case of letters; of several spellings the smallest.
func property(meta map[string]string, keys ...string) string {
	for _, key := range keys {
		spelling := ""
		for k, v := range meta {
			if v != "" && strings.EqualFold(k, key) && (spelling == "" || k < spelling) {
				spelling = k
			}
		}
		if spelling != "" {
			return meta[spelling]
		}
	}
	return ""
}

// ParseDate reads a date as front matter and command lines write it. A date without a zone is UTC, without a time
// midnight. It returns false for anything else.
func ParseDate(s string) (time.Time, bool) {
	s = strings.Trim(strings.TrimSpace(s), `"'`)
	if s == "" {
		return time.Time{}, false
	}
	for _, layout := range []string{
		time.DateOnly, time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700", time.DateTime,
		"2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", "2006/01/02", "2006-01", "2006",
		"January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006", time.RFC1123, time.RFC1123Z,
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
