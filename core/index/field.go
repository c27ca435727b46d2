package index

import api "github.com/blevesearch/bleve_index_api"

// field is one field of a row.
type field struct {
	name   string
	words  []byte
	length int // terms, repeated ones included
	freqs  api.TokenFrequencies
}

var _ api.Field = (*field)(nil)

// setKey makes the field that identifies the row: one term, as it stands.
func (f *field) setKey(key string) {
	tf := &api.TokenFreq{}
	tf.SetFrequency(1)
	f.length, f.freqs = 1, api.TokenFrequencies{key: tf}
}

// analyze counts the terms of the words. The engine asks no more of a term than its frequency.
func (f *field) analyze(a *analyzer) {
	f.freqs = make(api.TokenFrequencies, len(f.words)/16+1) // about one distinct term in 16 bytes of prose
	var slab []api.TokenFreq
	a.terms(f.words, func(term string, _ bool) {
		f.length++
		tf := f.freqs[term]
		if tf == nil {
			if len(slab) == 0 {
				slab = make([]api.TokenFreq, 32)
			}
			tf, slab = &slab[0], slab[1:]
			f.freqs[term] = tf
		}
		tf.SetFrequency(tf.Frequency() + 1)
	})
	f.words = nil
}

// Analyze has nothing left to do.
func (f *field) Analyze() {}

func (f *field) Name() string                                   { return f.name }
func (f *field) Value() []byte                                  { return f.words }
func (f *field) ArrayPositions() []uint64                       { return nil }
func (f *field) EncodedFieldType() byte                         { return 't' }
func (f *field) AnalyzedLength() int                            { return f.length }
func (f *field) AnalyzedTokenFrequencies() api.TokenFrequencies { return f.freqs }
func (f *field) NumPlainTextBytes() uint64                      { return uint64(len(f.words)) }

// Options: searched, not stored, no positions, no doc values. The id must be stored too, the engine reads it back, and
// the lengths are only stored.
func (f *field) Options() api.FieldIndexingOptions {
	switch f.name {
	case idField:
		return api.IndexField | api.StoreField
	case lengthField:
		return api.StoreField
	}
	return api.IndexField
}
