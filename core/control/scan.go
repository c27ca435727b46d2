package control

// ScanAnswer answers scan. Without wait only Queued is filled.
type ScanAnswer struct {
	Sources List[SourceScan] `json:"sources"`
	Queued  List[string]     `json:"queued,omitempty"`
}

// SourceScan is how the scan of one source ended. Complete is false where a directory could not be read or the root
// is not the one that is known; Reason then says why.
type SourceScan struct {
	Name       string `json:"name"`
	Generation uint64 `json:"generation"` // the head after the scan
	Published  bool   `json:"published"`
	Complete   bool   `json:"complete"`
	Added      int    `json:"added"`
	Changed    int    `json:"changed"`
	Moved      int    `json:"moved"`
	Removed    int    `json:"removed"`
	Metadata   int    `json:"metadata"`
	Failed     int    `json:"failed"`
	TookMS     int64  `json:"took_ms"`
	Reason     string `json:"reason,omitempty"`
	Error      string `json:"error,omitempty"` // why the scan failed, where the tree is not to blame
}

// Progress is how far a scan is. Total is 0 while it is not known.
type Progress struct {
	Source string `json:"source"`
	Done   int    `json:"done"`
	Total  int    `json:"total"`
}
