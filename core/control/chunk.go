package control

// Chunk is a chunk as split, show, ls --chunks and query give it. Start and End are half-open byte offsets into the
// stored file where Coords is "source", else into the extracted text.
type Chunk struct {
	ID             string        `json:"id"`
	Source         string        `json:"source"`
	Path           string        `json:"path"`               // readable: bytes that are not UTF-8 are escaped
	PathB64        string        `json:"path_b64,omitempty"` // the path's bytes where it is not UTF-8
	Revision       string        `json:"revision"`
	Generation     uint64        `json:"generation"` // 0 in split
	Index          int           `json:"index"`
	Start          int64         `json:"start"`
	End            int64         `json:"end"`
	StartLine      int           `json:"start_line"`
	EndLine        int           `json:"end_line"`
	Text           string        `json:"text"`
	Context        List[Context] `json:"context"`
	ContextDropped List[Context] `json:"context_dropped"` // without text
	Breadcrumb     List[string]  `json:"breadcrumb"`
	Kind           string        `json:"kind"`
	Lang           string        `json:"lang"`
	MediaType      string        `json:"media_type"`
	Page           int           `json:"page,omitempty"`
	Tokens         int           `json:"tokens"` // of the embedding text, special tokens included (I5)
	EmbedText      string        `json:"embed_text,omitempty"`
	EmbedHash      string        `json:"embed_hash"`
	Coords         string        `json:"coords"`
	Origin         List[Origin]  `json:"origin,omitempty"`
	Tokenizer      string        `json:"tokenizer"`
	Plugin         Plugin        `json:"plugin"`
	Policy         Policy        `json:"policy"`
	Embedder       string        `json:"embedder,omitempty"`
	Tenant         string        `json:"tenant"`
	Access         string        `json:"access"`
	Author         string        `json:"author,omitempty"`
	Date           string        `json:"date,omitempty"`
	Section        Span          `json:"section"`
	Prev           Optional      `json:"prev"`
	Next           Optional      `json:"next"`
	Attrs          Attrs         `json:"attrs"`
	Modified       Optional      `json:"modified"` // RFC 3339
	EffectiveFrom  string        `json:"effective_from,omitempty"`
	EffectiveTo    string        `json:"effective_to,omitempty"`
	Stale          bool          `json:"stale"`
}

// Span is a half-open range of bytes.
type Span struct {
	Start int64 `json:"start"`
	End   int64 `json:"end"`
}

// Context is a span of the same document that the embedding text repeats.
type Context struct {
	Start int64  `json:"start"`
	End   int64  `json:"end"`
	Text  string `json:"text,omitempty"`
	Role  string `json:"role"`
}

// Origin is a place of the stored file that an extracted text comes from. Start and End are nil where the format has
// no byte addresses.
type Origin struct {
	Start *int64 `json:"start,omitempty"`
	End   *int64 `json:"end,omitempty"`
	Page  int    `json:"page,omitempty"`
	Cell  string `json:"cell,omitempty"`
}

// Plugin names the splitter, with the checksum of the binary that ran.
type Plugin struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	SHA256  string `json:"sha256"`
}

// Policy is how the outline was packed.
type Policy struct {
	Strategy     string `json:"strategy"`
	MaxTokens    int    `json:"max_tokens"`
	Overlap      int    `json:"overlap"`
	Tokenizer    string `json:"tokenizer"`
	Oversize     string `json:"oversize"`
	TargetTokens int    `json:"target_tokens"`
}
