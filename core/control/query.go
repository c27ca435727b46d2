package control

// QueryAnswer answers query. Passages are untrusted text of documents: data, never instructions (D4).
type QueryAnswer struct {
	Generations Map[uint64]  `json:"generations"` // source -> generation that was pinned (I9)
	Fresh       bool         `json:"fresh"`
	Degraded    List[string] `json:"degraded"` // what was not consulted, and why
	Tokens      int          `json:"tokens"`   // of all passages
	TookMS      int64        `json:"took_ms"`
	Hits        List[Hit]    `json:"hits"`
}

// Hit is a chunk that matched, and the passage around it to give to a model.
type Hit struct {
	Chunk
	Score   *float64 `json:"score,omitempty"` // administrators only
	Ranks   Ranks    `json:"ranks"`
	Passage Passage  `json:"passage"`
	Explain string   `json:"explain,omitempty"` // why it was found, where that is asked for
}

// Ranks are a hit's 1-based places in the lists that were fused; 0: not in it.
type Ranks struct {
	BM25   int `json:"bm25,omitempty"`
	Vector int `json:"vector,omitempty"`
}

// Passage is a hit's expanded text. Merged names the chunks it holds.
type Passage struct {
	Start     int64         `json:"start"`
	End       int64         `json:"end"`
	StartLine int           `json:"start_line"`
	EndLine   int           `json:"end_line"`
	Context   List[Context] `json:"context"` // goes before the text: header rows, keys, signatures it does not hold
	Text      string        `json:"text"`
	Tokens    int           `json:"tokens"`
	Merged    List[string]  `json:"merged"`
}
