package control_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/cleave-project/cleave/core/control"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const emptyPlugin = `{"name":"","version":"","sha256":""}`

const emptyDocument = `{"path":"","revision":"","bytes":0,"media_type":"","lang":"","title":"","encoding":"","plugin":` + emptyPlugin + `,"coords":""}`

const emptyChunk = `"id":"","source":"","path":"","revision":"","generation":0,"index":0,"start":0,"end":0,"start_line":0,"end_line":0,` +
	`"text":"","context":[],"context_dropped":[],"breadcrumb":[],"kind":"","lang":"","media_type":"","tokens":0,"embed_hash":"","coords":"",` +
	`"tokenizer":"","plugin":` + emptyPlugin + `,"policy":{"strategy":"","max_tokens":0,"overlap":0,"tokenizer":"","oversize":"","target_tokens":0},` +
	`"tenant":"","access":"","section":{"start":0,"end":0},"prev":null,"next":null,"attrs":{},"modified":null,"stale":false`

func pointer[T any](v T) *T { return &v }

// TestJSON holds every form of the contract: names, order, and that a list is [] where it is empty.
func TestJSON(t *testing.T) {
	cases := []struct {
		name  string
		value any
		want  string
	}{
		{"chunk", control.Chunk{}, "{" + emptyChunk + "}"},
		{"chunk, optional fields", control.Chunk{PathB64: "/w==", Page: 2, EmbedText: "a > b", Embedder: "e", Author: "A", Date: "2026-01-02",
			Origin: []control.Origin{{Page: 1}, {Start: pointer(int64(0)), End: pointer(int64(4)), Cell: "B7"}}, Prev: "p", EffectiveFrom: "f", EffectiveTo: "t",
			Context: []control.Context{{Start: 1, End: 2, Text: "x", Role: "header"}}, ContextDropped: []control.Context{{Start: 1, End: 2, Role: "import"}}},
			`{"id":"","source":"","path":"","path_b64":"/w==","revision":"","generation":0,"index":0,"start":0,"end":0,"start_line":0,"end_line":0,` +
				`"text":"","context":[{"start":1,"end":2,"text":"x","role":"header"}],"context_dropped":[{"start":1,"end":2,"role":"import"}],"breadcrumb":[],` +
				`"kind":"","lang":"","media_type":"","page":2,"tokens":0,"embed_text":"a > b","embed_hash":"","coords":"","origin":[{"page":1},{"start":0,"end":4,"cell":"B7"}],` +
				`"tokenizer":"","plugin":` + emptyPlugin + `,"policy":{"strategy":"","max_tokens":0,"overlap":0,"tokenizer":"","oversize":"","target_tokens":0},` +
				`"embedder":"e","tenant":"","access":"","author":"A","date":"2026-01-02","section":{"start":0,"end":0},"prev":"p","next":null,"attrs":{},` +
				`"modified":null,"effective_from":"f","effective_to":"t","stale":false}`},
		{"query", control.QueryAnswer{}, `{"generations":{},"fresh":false,"degraded":[],"tokens":0,"took_ms":0,"hits":[]}`},
		{"hit", control.Hit{Ranks: control.Ranks{BM25: 1}}, "{" + emptyChunk +
			`,"ranks":{"bm25":1},"passage":{"start":0,"end":0,"start_line":0,"end_line":0,"context":[],"text":"","tokens":0,"merged":[]}}`},
		{"hit, administrators", control.Hit{Score: pointer(1.5)}, "{" + emptyChunk +
			`,"score":1.5,"ranks":{},"passage":{"start":0,"end":0,"start_line":0,"end_line":0,"context":[],"text":"","tokens":0,"merged":[]}}`},
		{"split", control.SplitAnswer{}, `{"document":` + emptyDocument + `,"chunks":[],"skipped":[],"warnings":[],"storage_ratio":0,"cut_sentences":[],"error":null}`},
		{"split, outline", control.SplitAnswer{Units: &control.List[control.Unit]{}, Error: &control.Refusal{Code: "binary", Message: "m"},
			Skipped: []control.Skipped{{End: 3, Reason: "bom"}}, Warnings: []control.Warning{{Code: "empty"}, {Code: "ragged_row", Start: pointer(int64(0))}}},
			`{"document":` + emptyDocument + `,"chunks":[],"skipped":[{"start":0,"end":3,"reason":"bom"}],"warnings":[{"code":"empty","message":""},` +
				`{"code":"ragged_row","message":"","start":0}],"storage_ratio":0,"cut_sentences":[],"units":[],"error":{"code":"binary","message":"m"}}`},
		{"unit", control.Unit{}, `{"depth":0,"kind":"","name":"","start":0,"end":0,"cut":"","clings":false,"border":false,"context":[],"cells":[],"attrs":{}}`},
		{"show a document", control.ShowAnswer{}, `{"document":` + emptyDocument + `,"chunks":[],"skipped":[],"warnings":[],"cut_sentences":[],"error":null}`},
		{"show a chunk", control.ShowAnswer{Chunk: &control.Chunk{}}, `{"document":` + emptyDocument + `,"chunk":{` + emptyChunk + `}}`},
		{"ls", control.ListDocument{Path: "a", State: "current"}, `{"path":"a","revision":"","bytes":0,"chunks":0,"state":"current","media_type":"","plugin":` + emptyPlugin + `,"modified":null}`},
		{"scan", control.ScanAnswer{}, `{"sources":[]}`},
		{"scan of a source", control.SourceScan{}, `{"name":"","generation":0,"published":false,"complete":false,"added":0,"changed":0,"moved":0,"removed":0,"metadata":0,"failed":0,"took_ms":0}`},
		{"status", control.StatusAnswer{}, `{"version":"","pid":0,"uptime_s":0,"rss_bytes":0,"goroutines":0,"open_files":0,"state_bytes":0,` +
			`"caller":{"uid":0,"gid":0,"groups":[],"admin":false},"plugins":[],"sources":[]}`},
		{"status of a source", control.SourceStatus{Scanning: &control.Scanning{Done: 1, Total: 2}}, `{"name":"","root":"","state":"","reason":"","generation":0,"root_hash":"",` +
			`"documents":0,"chunks":0,"bytes":0,"stale":0,"failed":0,"pending":0,"scanning":{"done":1,"total":2},"last_scan":null,"last_complete":null,"next_scan":null,` +
			`"watches":{"have":0,"want":0},"overflows":0,"lag_ms":0,"index_generation":0,"held":false,"failures":[]}`},
		{"plugin", control.PluginStatus{Plugin: control.Plugin{Name: "markdown"}}, `{"name":"markdown","version":"","sha256":"","claims":[],"processes":0,"calls":0,"crashes":0}`},
		{"generations", control.GenerationsAnswer{}, `{"source":"","generations":[]}`},
		{"doctor", control.DoctorAnswer{Checks: []control.Check{{}}}, `{"checks":[{"name":"","ok":false,"level":"","message":"","fix":""}]}`},
		{"html is left as it is", control.Refusal{Message: "a <b> & c"}, `{"code":"","message":"a <b> & c"}`},
		{"html in a list", control.List[string]{"a <b>"}, `["a <b>"]`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := control.Encode(&b, c.value); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want+"\n", b.String()); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestJSONIsInert: nothing that a terminal acts on is in JSON, and it reads back as it was (W25).
func TestJSONIsInert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runes := rapid.OneOf(rapid.RuneFrom([]rune("a\"\\\n\x1b\x7f\u0080\u009b\u202e\u2066<é日")), rapid.Rune())
		want := control.List[string]{rapid.StringOf(runes).Draw(t, "text")}
		var b bytes.Buffer
		if err := control.Encode(&b, want); err != nil {
			t.Fatal(err)
		}
		for _, r := range strings.TrimSuffix(b.String(), "\n") {
			if r < ' ' || r >= 0x7f && r <= 0x9f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Fatalf("%q holds %U", b.String(), r)
			}
		}
		var got control.List[string]
		if err := json.Unmarshal(b.Bytes(), &got); err != nil || got[0] != want[0] {
			t.Fatalf("%q came back as %q, %v", want, got, err)
		}
	})
}

func TestHitReadsBack(t *testing.T) {
	want := control.Hit{Chunk: control.Chunk{ID: "i", Text: "t", Prev: "p", Breadcrumb: []string{"a"}, Attrs: control.Attrs{"row": "3"}},
		Score: pointer(0.25), Ranks: control.Ranks{BM25: 2}, Passage: control.Passage{Context: []control.Context{{Start: 1, End: 2, Text: "h", Role: "header"}}, Text: "passage", Merged: []string{"i"}}}
	var b bytes.Buffer
	if err := control.Encode(&b, want); err != nil {
		t.Fatal(err)
	}
	var got control.Hit
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want.Context, want.ContextDropped = control.List[control.Context]{}, control.List[control.Context]{}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestReadable(t *testing.T) {
	for path, want := range map[string][2]string{
		"ärger/x.md": {"ärger/x.md", ""},
		"a\xffb":     {`a\xffb`, "Yf9i"},
		"�":          {"�", ""},
	} {
		if text, raw := control.Readable(path); text != want[0] || raw != want[1] {
			t.Errorf("Readable(%q) = %q, %q", path, text, raw)
		}
	}
}
