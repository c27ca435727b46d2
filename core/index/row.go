package index

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"

	api "github.com/blevesearch/bleve_index_api"

	"github.com/cleave-project/cleave/core/object"
)

// pathKey stands for a path in row keys: the first half of its SHA-256.
type pathKey [16]byte

// wordsKey stands for what is analysed of a chunk. It only has to be unique within a path.
type wordsKey uint64

// rowKeySize is the length of a row's key in bytes.
const rowKeySize = len(pathKey{}) + 8

func keyOfPath(p object.Path) pathKey {
	sum := sha256.Sum256([]byte(p))
	return pathKey(sum[:len(pathKey{})])
}

// keyOfWords covers kind, language, breadcrumb and text by the chunk's Words, and the title where it is embedded.
func keyOfWords(doc *object.Document, c *object.Chunk) wordsKey {
	data := make([]byte, 0, 128)
	data = binary.BigEndian.AppendUint32(data, AnalyzerVersion)
	data = append(data, c.Words[:]...)
	data = append(data, embeddedTitle(doc)...)
	sum := sha256.Sum256(data)
	return wordsKey(binary.BigEndian.Uint64(sum[:]))
}

func embeddedTitle(doc *object.Document) string {
	if doc.Titled {
		return doc.Title
	}
	return ""
}

func rowKey(p pathKey, w wordsKey) string {
	key := make([]byte, 0, rowKeySize)
	key = append(key, p[:]...)
	return string(binary.BigEndian.AppendUint64(key, uint64(w)))
}

// parseRowKey takes a key apart. ok is false for a key that is none of ours.
func parseRowKey(key string) (p pathKey, w wordsKey, ok bool) {
	if len(key) != rowKeySize {
		return p, 0, false
	}
	copy(p[:], key)
	return p, wordsKey(binary.BigEndian.Uint64([]byte(key[len(p):]))), true
}

// The names of the fields.
const (
	textField  = "t"
	crumbField = "b"
	pathField  = "p"
	idField    = "_id" // the engine's own

	lengthField = "l" // stored and not searched
)

// row is one document of the engine. It is made with its words and analysed once, before the engine gets it.
type row struct {
	key    string
	fields [5]field
}

var _ api.Document = (*row)(nil)

// newRow takes over text, which must not change any more.
func newRow(key string, path object.Path, doc *object.Document, c *object.Chunk, text []byte) *row {
	r := &row{key: key}
	crumb := strings.Join(c.Breadcrumb, "\n")
	if title := embeddedTitle(doc); title != "" {
		crumb = title + "\n" + crumb
	}
	r.fields = [5]field{
		{name: idField, words: []byte(key)},
		{name: textField, words: text},
		{name: crumbField, words: []byte(crumb)},
		{name: pathField, words: []byte(path)},
		{name: lengthField},
	}
	return r
}

// analyze turns the words of the fields into terms and lets go of the words.
func (r *row) analyze(a *analyzer) {
	r.fields[0].setKey(r.key)
	for i := range r.fields[1:4] {
		r.fields[i+1].analyze(a)
	}
	r.fields[4].words = r.lengths().encodeRow()
}

// lengths are the row's own, once it has been analysed.
func (r *row) lengths() lengths {
	return lengths{rows: 1, text: uint64(r.fields[1].length), crumb: uint64(r.fields[2].length), path: uint64(r.fields[3].length)}
}

func (r *row) ID() string { return r.key }

func (r *row) VisitFields(visit api.FieldVisitor) {
	for i := range r.fields {
		visit(&r.fields[i])
	}
}

// size is what the row counts against the size of a batch, in bytes of text.
func (r *row) size() int64 {
	n := int64(rowOverhead)
	for i := range r.fields {
		n += int64(len(r.fields[i].words))
	}
	return n
}

// rowOverhead is what a row costs beside its words, in bytes of text: measured as about a fifth of a row of 1 KiB.
const rowOverhead = 256

// The rest is what the engine asks of any document; ours have no composite fields and their id field from the start.

func (r *row) Size() int                                  { return int(r.size()) }
func (r *row) VisitComposite(v api.CompositeFieldVisitor) {}
func (r *row) HasComposite() bool                         { return false }
func (r *row) NumPlainTextBytes() uint64                  { return uint64(r.size()) }
func (r *row) AddIDField()                                {}
func (r *row) StoredFieldsBytes() uint64                  { return 0 }
func (r *row) Indexed() bool                              { return true }
