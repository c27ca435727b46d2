package control

// ListItem is one line of a listing; one field is set. Documents come in path order, a document's chunks after it,
// what was left out last.
type ListItem struct {
	Document *ListDocument `json:"document,omitempty"`
	Chunk    *Chunk        `json:"chunk,omitempty"`
	LeftOut  *LeftOut      `json:"left_out,omitempty"`
}

// ListDocument is a document as ls shows it.
type ListDocument struct {
	Path          string   `json:"path"`
	PathB64       string   `json:"path_b64,omitempty"`
	Revision      string   `json:"revision"`
	Bytes         int64    `json:"bytes"`
	Chunks        int      `json:"chunks"`
	State         string   `json:"state"` // current, stale, failed
	MediaType     string   `json:"media_type"`
	Plugin        Plugin   `json:"plugin"`
	Modified      Optional `json:"modified"` // RFC 3339
	EffectiveFrom string   `json:"effective_from,omitempty"`
	EffectiveTo   string   `json:"effective_to,omitempty"`
}

// LeftOut is a file that is not a document, with the reason.
type LeftOut struct {
	Path    string `json:"path"`
	PathB64 string `json:"path_b64,omitempty"`
	Reason  string `json:"reason"`
}

// ListAnswer is the last line of a listing: what was listed. The form that ls --json prints adds the items.
type ListAnswer struct {
	Source     string `json:"source"`
	Generation uint64 `json:"generation"`
}

// Generation is one kept state of a source.
type Generation struct {
	Number    uint64   `json:"number"`
	Time      Optional `json:"time"` // RFC 3339
	Root      string   `json:"root"`
	Documents int      `json:"documents"`
	Chunks    int      `json:"chunks"`
	Bytes     int64    `json:"bytes"`
	Stale     int      `json:"stale"`
	Failed    int      `json:"failed"`
	Added     int      `json:"added"`
	Changed   int      `json:"changed"`
	Moved     int      `json:"moved"`
	Removed   int      `json:"removed"`
	Metadata  int      `json:"metadata"`
	Reason    string   `json:"reason"`
	Complete  bool     `json:"complete"`
	Held      bool     `json:"held"`
}

// GenerationsAnswer lists the kept generations of a source, newest first.
type GenerationsAnswer struct {
	Source      string           `json:"source"`
	Generations List[Generation] `json:"generations"`
}
