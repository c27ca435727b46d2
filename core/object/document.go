package object

// Source is a configured source's name: [a-z0-9][a-z0-9._-]{0,63}.
type Source string

// Path is a document's slash path relative to its source's root, as the file system's bytes. It need not be UTF-8.
type Path string

// Span is a half-open range of bytes of a document's text.
type Span struct {
	Start int64 `cbor:"1,keyasint"`
	End   int64 `cbor:"2,keyasint"`
}

// Coords says what a document's byte offsets count.
type Coords string

// CoordsSource: the text is the stored file, byte for byte, a byte order mark included. CoordsExtracted: the text was
// transcoded or extracted, and Segments lead back to the file.
const (
	CoordsSource    Coords = "source"
	CoordsExtracted Coords = "extracted"
)

// Policy is how an outline is packed. It is part of the splitting contract.
type Policy struct {
	Strategy     string `cbor:"1,keyasint"`           // structural, recursive, fixed
	MaxTokens    int    `cbor:"2,keyasint"`           // budget of the embedding text, special tokens included
	Overlap      int    `cbor:"3,keyasint,omitempty"` // tokens; 0 <= Overlap < MaxTokens
	Tokenizer    string `cbor:"4,keyasint"`           // a name core/token opens
	Oversize     string `cbor:"5,keyasint"`           // split, reject
	TargetTokens int    `cbor:"6,keyasint,omitempty"` // 0: join up to MaxTokens
}

// PluginRef names the splitter that made an outline. Its checksum is not here: a rebuilt plugin of the same version
// whose outlines are equal changes no record.
type PluginRef struct {
	Name    string `cbor:"1,keyasint"`
	Version string `cbor:"2,keyasint"`
}

// Document is the record of one revision under one splitting contract. It does not know its path, so a rename keeps it.
// Equal records mean equal content.
type Document struct {
	Revision  ID                `cbor:"1,keyasint"` // SHA-256 of the raw bytes
	Bytes     int64             `cbor:"2,keyasint"` // size of the raw bytes
	MediaType string            `cbor:"3,keyasint,omitempty"`
	Lang      string            `cbor:"4,keyasint,omitempty"`
	Title     string            `cbor:"5,keyasint,omitempty"`
	Titled    bool              `cbor:"6,keyasint,omitempty"` // the title is not the first heading, so it is embedded
	Encoding  string            `cbor:"7,keyasint"`
	Coords    Coords            `cbor:"8,keyasint"`
	Plugin    PluginRef         `cbor:"9,keyasint"`
	Contract  ID                `cbor:"10,keyasint"` // hash of the whole splitting contract
	Policy    Policy            `cbor:"11,keyasint"`
	Meta      map[string]string `cbor:"12,keyasint,omitempty"`
	TextLen   int64             `cbor:"13,keyasint"`           // bytes of text
	Text      []ID              `cbor:"14,keyasint,omitempty"` // blocks of at most BlockSize bytes
	Segments  []ID              `cbor:"15,keyasint,omitempty"` // pages of segments; none for CoordsSource
	Chunks    []ID              `cbor:"16,keyasint,omitempty"` // pages of ChunksPerPage chunks, the last one shorter
	NumChunks int               `cbor:"17,keyasint"`
	Skips     []Skip            `cbor:"18,keyasint,omitempty"`
	Warnings  []Warning         `cbor:"19,keyasint,omitempty"`
	Cut       []Span            `cbor:"20,keyasint,omitempty"` // sentences that no chunk holds whole

	// TokenizerHash says which tokenizer of the policy's name counted: two vocabularies may have one name.
	TokenizerHash string `cbor:"21,keyasint,omitempty"`
}

// Skip is a span that no chunk holds, with the reason.
type Skip struct {
	Span   Span   `cbor:"1,keyasint"`
	Reason string `cbor:"2,keyasint"`
}

// Warning is something odd about a document. The zero Span means the whole document.
type Warning struct {
	Code    string `cbor:"1,keyasint"`
	Message string `cbor:"2,keyasint"`
	Span    Span   `cbor:"3,keyasint"`
}

// Segment maps a span of extracted text to the source; see sdk.Segment.
type Segment struct {
	Text   Span   `cbor:"1,keyasint"`
	Source Span   `cbor:"2,keyasint"`
	Page   int    `cbor:"3,keyasint,omitempty"`
	Cell   string `cbor:"4,keyasint,omitempty"`
}
