package object

// Chunk is a contiguous span of a document's text with what travels with it. It does not know its document or place;
// ChunkID binds it to them.
type Chunk struct {
	Span       Span              `cbor:"1,keyasint"`
	StartLine  int               `cbor:"2,keyasint"` // 1-based
	EndLine    int               `cbor:"3,keyasint"` // line of the last byte, inclusive
	Section    Span              `cbor:"4,keyasint"` // innermost section around the chunk; the whole text where there is none
	Kind       string            `cbor:"5,keyasint"`
	Lang       string            `cbor:"6,keyasint,omitempty"`
	Breadcrumb []string          `cbor:"7,keyasint,omitempty"`
	Unprefixed int               `cbor:"8,keyasint,omitempty"` // outer elements of title and breadcrumb that the embedding text leaves out
	Context    []Context         `cbor:"9,keyasint,omitempty"`
	Dropped    []Context         `cbor:"10,keyasint,omitempty"` // context that found no room
	Tokens     int               `cbor:"11,keyasint"`           // of the embedding text, special tokens included (I5)
	EmbedHash  ID                `cbor:"12,keyasint"`           // hash of the embedding text
	Words      ID                `cbor:"13,keyasint"`           // hash of kind, language, breadcrumb and text: what an index row is made of
	Page       int               `cbor:"14,keyasint,omitempty"`
	Attrs      map[string]string `cbor:"15,keyasint,omitempty"`
}

// Context is a span of the same text that the embedding text repeats before the chunk's own.
type Context struct {
	Span Span   `cbor:"1,keyasint"`
	Role string `cbor:"2,keyasint"`
}
