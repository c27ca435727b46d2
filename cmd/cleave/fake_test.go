package main

import (
	"context"
	"strings"
	"sync"

	"github.com/cleave-project/cleave/core/control"
)

// hostile is a name that would clear a screen, set a title and forge a line.
const hostile = "no\x1b[2J\x1b]0;x\x07te\ncleave: all is well\u202e.md"

// fake answers the way a daemon with one source would. What a command sends decides the answer, so that scripts reach
// every form.
type fake struct {
	mu   sync.Mutex
	seen control.SplitRequest
}

var dome = control.Chunk{
	ID: strings.Repeat("ab", 32), Source: "handbook", Path: "ops/dome.md", Revision: strings.Repeat("c0", 32), Generation: 4,
	Start: 40, End: 73, StartLine: 5, EndLine: 6, Text: "Close at 15 m/s.\n\tReport \x1b[31mit\x1b[0m.\n", Kind: "paragraph",
	Breadcrumb: []string{"Dome", "Wind"}, Context: []control.Context{{Start: 0, End: 7, Text: "# Dome\n", Role: "lead"}},
	Tokens: 14, Coords: "source", Plugin: control.Plugin{Name: "markdown", Version: "1"}, Next: "next",
}

var document = control.Document{Path: "ops/dome.md", Bytes: 2048, Plugin: control.Plugin{Name: "markdown", Version: "1"}, Coords: "source"}

func (f *fake) Status(context.Context, control.Caller, control.StatusRequest) (control.StatusAnswer, error) {
	return control.StatusAnswer{Version: "1.0", PID: 42, UptimeS: 61, RSSBytes: 3 << 20, StateBytes: 900,
		Plugins: []control.PluginStatus{{Plugin: control.Plugin{Name: "markdown", Version: "1"}, Claims: []string{"*.md"}, Processes: 2, Calls: 9, Crashes: 1}},
		Sources: []control.SourceStatus{
			{Name: "handbook", Root: "/srv/handbook", State: "current", Generation: 4, IndexGeneration: 4, Documents: 2, Chunks: 5, Bytes: 5000},
			{Name: "notes", Root: "/srv/notes", State: "degraded", Reason: "scan notes: 1 directory could not be read", Generation: 2, IndexGeneration: 1,
				Failed: 1, Scanning: &control.Scanning{Done: 1, Total: 2},
				Failures: []control.Failure{{Path: hostile, Code: "nul_byte", Message: "byte 12 is NUL"}}},
		}}, nil
}

func (f *fake) Scan(_ context.Context, _ control.Caller, r control.ScanRequest, p func(control.Progress)) (control.ScanAnswer, error) {
	if !r.Wait {
		return control.ScanAnswer{Queued: r.Sources}, nil
	}
	p(control.Progress{Source: "handbook", Done: 1, Total: 2})
	a := control.ScanAnswer{Sources: []control.SourceScan{{Name: "handbook", Generation: 4, Published: true, Complete: true, Added: 2, TookMS: 12}}}
	for _, name := range r.Sources {
		a.Sources = append(a.Sources, shortScans[name])
	}
	return a, nil
}

// shortScans are the scans, by source, that did not do all that they should, as the daemon words them.
var shortScans = map[string]control.SourceScan{
	"gone":    {Name: "gone", Generation: 4, Reason: "scan gone: root \"/srv/gone\": gone: no such file or directory (nothing was removed; bring it back)"},
	"partial": {Name: "partial", Generation: 4, Published: true, Reason: "not readable, carried over: secret"},
	"broken":  {Name: "broken", Generation: 4, Reason: "read the head of broken: damaged", Error: "read the head of broken: damaged"},
	"unsplit": {Name: "unsplit", Generation: 4, Complete: true, Failed: 2},
}

func (f *fake) Query(_ context.Context, _ control.Caller, r control.QueryRequest) (control.QueryAnswer, error) {
	a := control.QueryAnswer{Generations: map[string]uint64{"handbook": 4}, Fresh: true, Tokens: 14, TookMS: 3}
	switch r.Words {
	case "nothing":
	case "nothing fits":
		a.Degraded = []string{"source notes: unavailable", "no match fits the budget: the best has 14 tokens, the budget is 5"}
	case "nothing served":
		a.Generations, a.Degraded = nil, []string{"source handbook: nothing was published yet"}
	default:
		a.Hits = []control.Hit{{Chunk: dome, Ranks: control.Ranks{BM25: 1},
			Passage: control.Passage{Start: 40, End: 73, StartLine: 5, EndLine: 6, Text: dome.Text, Tokens: 14, Merged: []string{dome.ID}}}}
	}
	if r.Kind == "row" {
		a.Hits[0].Passage.Context = []control.Context{{Start: 20, End: 31, Role: "header", Text: "| m/s\x1b |\n|---|\n"}}
	}
	if r.Explain {
		a.Hits[0].Explain = "1.5 = sum of:\n  text:wind\x1b"
	}
	return a, nil
}

func (f *fake) Split(_ context.Context, _ control.Caller, r control.SplitRequest) (control.SplitAnswer, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen = r
	a := control.SplitAnswer{Document: document}
	a.Document.Path, a.Document.Bytes = r.Name, int64(len(r.Content)+len(r.Vocabulary))
	switch {
	case r.Overlap != nil && *r.Overlap < 0:
		a.Error = &control.Refusal{Code: "invalid_config", Message: "overlap -1 is below 0"}
	case strings.Contains(string(r.Content), "\x00"):
		a.Error = &control.Refusal{Code: "nul_byte", Message: "byte 1 is NUL"}
	default:
		a.Chunks = []control.Chunk{dome}
		a.StorageRatio = 1.25
		a.Warnings = []control.Warning{{Code: "ragged_row", Message: "row 2", Start: &dome.Start}}
		a.Skipped = []control.Skipped{{End: 3, Reason: "bom"}}
		a.CutSentences = []control.Span{{Start: 1, End: 9}}
	}
	if r.Outline {
		a.Units = &control.List[control.Unit]{{Kind: "section", Name: "Dome", End: 73, Cut: "children"}, {Depth: 1, Kind: "heading", End: 7, Cut: "words"}}
	}
	return a, nil
}

func (f *fake) List(_ context.Context, _ control.Caller, r control.ListRequest, emit func(control.ListItem) error) (control.ListAnswer, error) {
	if r.Source == "unknown" {
		return control.ListAnswer{}, control.NotFound("no source unknown (cleave status lists them)")
	}
	items := []control.ListItem{{Document: &control.ListDocument{Path: hostile, State: "failed", Bytes: 7}}}
	items = append(items, control.ListItem{Document: &control.ListDocument{Path: "ops/dome.md", Revision: dome.Revision, State: "current", Bytes: 2048, Chunks: 1}})
	if r.Chunks {
		items = append(items, control.ListItem{Chunk: &dome})
	}
	if r.All {
		items = append(items, control.ListItem{LeftOut: &control.LeftOut{Path: "a.png", Reason: "binary"}})
	}
	for _, i := range items {
		if err := emit(i); err != nil {
			return control.ListAnswer{}, err
		}
	}
	return control.ListAnswer{Source: "handbook", Generation: 4}, nil
}

var nul = control.Refusal{Code: "nul_byte", Message: "byte 1 is NUL"}

func (f *fake) Show(_ context.Context, _ control.Caller, r control.ShowRequest) (control.ShowAnswer, error) {
	switch {
	case r.ID == dome.ID:
		return control.ShowAnswer{Document: document, Chunk: &dome}, nil
	case r.Path == "ops/dome.md":
		return control.ShowAnswer{Document: document, Chunks: []control.Chunk{dome}}, nil
	case r.Path == "stale.md":
		return control.ShowAnswer{Document: document, Chunks: []control.Chunk{dome}, Error: &nul}, nil
	case r.Path == "failed.md":
		return control.ShowAnswer{Document: control.Document{Path: r.Path, Bytes: 4, Coords: "source"}, Error: &nul}, nil
	case r.Path == "empty.md":
		return control.ShowAnswer{Document: document}, nil
	}
	return control.ShowAnswer{}, control.NotFound("no such chunk or document")
}

func (f *fake) Generations(_ context.Context, _ control.Caller, r control.GenerationsRequest) (control.GenerationsAnswer, error) {
	return control.GenerationsAnswer{Source: r.Source, Generations: []control.Generation{
		{Number: 4, Time: "2026-11-30T10:00:00Z", Root: dome.Revision, Documents: 2, Chunks: 5, Added: 1, Reason: "scan", Complete: true},
		{Number: 3, Time: "2026-11-29T10:00:00Z", Documents: 1, Chunks: 3, Failed: 1, Reason: "start"}}}, nil
}

func (f *fake) Doctor(context.Context, control.Caller, control.DoctorRequest) (control.DoctorAnswer, error) {
	return control.DoctorAnswer{Checks: []control.Check{{Name: "plugins", Level: control.LevelError, Message: "no plugin in /usr/lib/cleave/plugins", Fix: "make build"}}}, nil
}

func (f *fake) Version(context.Context, control.Caller, control.VersionRequest) (control.VersionAnswer, error) {
	return control.VersionAnswer{Version: "1.0", Go: "go1.26"}, nil
}

func (f *fake) Ready() error { return nil }
