package control

import "encoding/json"

// Document is what split and show say about a document.
type Document struct {
	Path      string `json:"path"`
	PathB64   string `json:"path_b64,omitempty"`
	Revision  string `json:"revision"`
	Bytes     int64  `json:"bytes"`
	MediaType string `json:"media_type"`
	Lang      string `json:"lang"`
	Title     string `json:"title"`
	Encoding  string `json:"encoding"`
	Plugin    Plugin `json:"plugin"`
	Coords    string `json:"coords"`
}

// Skipped is a span that no chunk holds, with the reason.
type Skipped struct {
	Start  int64  `json:"start"`
	End    int64  `json:"end"`
	Reason string `json:"reason"`
}

// Warning is something odd about a document. Start is nil where it concerns the whole document.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Start   *int64 `json:"start,omitempty"`
}

// Refusal is why a document gives no chunks: a code of the closed list, and one line for people.
type Refusal struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// SplitAnswer answers split. With an Error there are no chunks.
type SplitAnswer struct {
	Document     Document      `json:"document"`
	Chunks       List[Chunk]   `json:"chunks"`
	Skipped      List[Skipped] `json:"skipped"`
	Warnings     List[Warning] `json:"warnings"`
	StorageRatio float64       `json:"storage_ratio"` // indexed bytes / bytes of text
	CutSentences List[Span]    `json:"cut_sentences"` // sentences that no chunk holds whole
	Units        *List[Unit]   `json:"units,omitempty"`
	Error        *Refusal      `json:"error"`
}

// Unit is a unit of the outline, given where the request asks for it.
type Unit struct {
	Depth   int               `json:"depth"`
	Kind    string            `json:"kind"`
	Name    string            `json:"name"`
	Start   int64             `json:"start"`
	End     int64             `json:"end"`
	Cut     string            `json:"cut"`
	Clings  bool              `json:"clings"`
	Border  bool              `json:"border"`
	Lang    string            `json:"lang,omitempty"`
	Context List[UnitContext] `json:"context"`
	Cells   List[Cell]        `json:"cells"`
	Attrs   Attrs             `json:"attrs"`
}

// UnitContext is a span that is repeated with a unit.
type UnitContext struct {
	Start int64  `json:"start"`
	End   int64  `json:"end"`
	Role  string `json:"role"`
}

// Cell is one cell of a row; Value is what a reader of the table sees, unescaped.
type Cell struct {
	Start int64  `json:"start"`
	End   int64  `json:"end"`
	Value string `json:"value"`
}

// ShowAnswer answers show: one chunk with its document where Chunk is set, else a document with all of its chunks.
// JSON has one form or the other.
type ShowAnswer struct {
	Document     Document      `json:"document"`
	Chunk        *Chunk        `json:"chunk"`
	Chunks       List[Chunk]   `json:"chunks"`
	Skipped      List[Skipped] `json:"skipped"`
	Warnings     List[Warning] `json:"warnings"`
	CutSentences List[Span]    `json:"cut_sentences"`
	Error        *Refusal      `json:"error"` // why there is no newer version, where the document is stale; why there is none, without chunks
}

// MarshalJSON writes the form that applies.
func (a ShowAnswer) MarshalJSON() ([]byte, error) {
	if a.Chunk != nil {
		return marshal(struct {
			Document Document `json:"document"`
			Chunk    *Chunk   `json:"chunk"`
		}{a.Document, a.Chunk})
	}
	return marshal(struct {
		Document     Document      `json:"document"`
		Chunks       List[Chunk]   `json:"chunks"`
		Skipped      List[Skipped] `json:"skipped"`
		Warnings     List[Warning] `json:"warnings"`
		CutSentences List[Span]    `json:"cut_sentences"`
		Error        *Refusal      `json:"error"`
	}{a.Document, a.Chunks, a.Skipped, a.Warnings, a.CutSentences, a.Error})
}

var _ json.Marshaler = ShowAnswer{}
