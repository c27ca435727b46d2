package control

import "time"

// StatusRequest asks for status.
type StatusRequest struct{}

func (*StatusRequest) fields(*form) {}

// DoctorRequest asks for the daemon's checks.
type DoctorRequest struct{}

func (*DoctorRequest) fields(*form) {}

// VersionRequest asks what the daemon was built from.
type VersionRequest struct{}

func (*VersionRequest) fields(*form) {}

// ScanRequest asks for a scan of the named sources, or of all.
type ScanRequest struct {
	Sources    []string
	Wait       bool // answer when the scans have ended
	AcceptRoot bool // take a root that was replaced on purpose
}

func (r *ScanRequest) fields(f *form) {
	f.list("source", &r.Sources)
	f.flag("wait", &r.Wait)
	f.flag("accept_root", &r.AcceptRoot)
}

// QueryRequest is a question. What it leaves open has its default when it reaches the service; see Check.
type QueryRequest struct {
	Words      string
	K          int
	Sources    []string
	Path       string // glob
	Kind       string
	Lang       string
	Author     string
	After      string // dates are YYYY-MM-DD
	Before     string
	AsOf       string
	Generation uint64 // 0: the head
	Expand     string // none, window, section
	Window     *int   // neighbours on each side
	Budget     int    // tokens of all passages
	Fresh      bool
	Timeout    time.Duration
	Explain    bool
}

func (r *QueryRequest) fields(f *form) {
	f.text("q", &r.Words)
	f.number("k", &r.K)
	f.list("source", &r.Sources)
	f.text("path", &r.Path)
	f.text("kind", &r.Kind)
	f.text("lang", &r.Lang)
	f.text("author", &r.Author)
	f.text("after", &r.After)
	f.text("before", &r.Before)
	f.text("as_of", &r.AsOf)
	f.counter("generation", &r.Generation)
	f.text("expand", &r.Expand)
	f.option("window", &r.Window)
	f.number("budget", &r.Budget)
	f.flag("fresh", &r.Fresh)
	f.span("timeout", &r.Timeout)
	f.flag("explain", &r.Explain)
}

// SplitRequest asks for the chunks that a file would give. An option that is empty or nil takes the daemon's default.
type SplitRequest struct {
	Name         string // base name, as the file system's bytes
	Content      []byte
	Plugin       string
	Strategy     string
	MaxTokens    *int
	Overlap      *int
	Tokenizer    string // wordpiece:FILE where Vocabulary is given: FILE is only a name
	Vocabulary   []byte
	TargetTokens *int
	Oversize     string
	Outline      bool // add the outline's units

	vocabulary int // bytes of the body, before the content, that are the vocabulary
}

func (r *SplitRequest) fields(f *form) {
	f.text("name", &r.Name)
	f.text("plugin", &r.Plugin)
	f.text("strategy", &r.Strategy)
	f.option("max_tokens", &r.MaxTokens)
	f.option("overlap", &r.Overlap)
	f.text("tokenizer", &r.Tokenizer)
	f.option("target_tokens", &r.TargetTokens)
	f.text("oversize", &r.Oversize)
	f.flag("outline", &r.Outline)
	f.number("vocabulary_bytes", &r.vocabulary)
}

// ListRequest asks for the documents of a generation.
type ListRequest struct {
	Source     string // empty: the only one
	Path       string // a document, or a folder with all beneath it; empty: all
	Generation uint64 // 0: the head
	Chunks     bool   // give the chunks too
	All        bool   // add what was left out
	EmbedText  bool   // chunks carry their embedding text
}

func (r *ListRequest) fields(f *form) {
	f.text("source", &r.Source)
	f.text("path", &r.Path)
	f.counter("generation", &r.Generation)
	f.flag("chunks", &r.Chunks)
	f.flag("all", &r.All)
	f.flag("embed_text", &r.EmbedText)
}

// ShowRequest asks for one chunk by ID, or for a document by source and path.
type ShowRequest struct {
	ID         string
	Source     string
	Path       string
	Generation uint64 // 0: the head
	EmbedText  bool
}

func (r *ShowRequest) fields(f *form) {
	f.text("id", &r.ID)
	f.text("source", &r.Source)
	f.text("path", &r.Path)
	f.counter("generation", &r.Generation)
	f.flag("embed_text", &r.EmbedText)
}

// GenerationsRequest asks for the kept generations of a source.
type GenerationsRequest struct {
	Source string
}

func (r *GenerationsRequest) fields(f *form) { f.text("source", &r.Source) }
