package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// expect is what a case says about the answer: testdata/cases/NAME/expect.json beside its input. Strings are compared
// exactly; one without a line break is also found where only its white space differs.
type expect struct {
	Title  string `json:"title"`            // the failure the case is about
	Wrong  string `json:"wrong,omitempty"`  // how it goes wrong
	Right  string `json:"right,omitempty"`  // what must happen
	Rule   string `json:"rule,omitempty"`   // the section that says so
	Plugin string `json:"plugin,omitempty"` // markdown, prose

	Input      string `json:"input,omitempty"`
	InputParts []part `json:"input_parts,omitempty"` // the input is their concatenation
	Seconds    int    `json:"max_seconds,omitempty"`

	MaxTokens   int       `json:"max_tokens"`
	Overlap     int       `json:"overlap_tokens,omitempty"`
	Tokenizers  []string  `json:"tokenizers,omitempty"`         // default: both published encodings
	Encoding    []string  `json:"encoding,omitempty"`           // acceptable decodings of a range; default: utf-8
	Coords      string    `json:"coords,omitempty"`             // extracted: ranges do not refer to readable bytes
	Error       []*string `json:"error,omitempty"`              // accepted results; null is chunks, and the default
	SplitOK     bool      `json:"clusters_may_split,omitempty"` // a single grapheme cluster exceeds the budget
	MaxSkipped  *int      `json:"max_skipped_bytes,omitempty"`  // default: a quarter of the file
	AllCovered  *bool     `json:"all_nonspace_bytes_covered,omitempty"`
	UncoveredOK []string  `json:"uncovered_ok,omitempty"`

	Contain      []string   `json:"must_have_chunk_containing,omitempty"`
	NotSplit     []string   `json:"must_not_split,omitempty"`
	Together     [][]string `json:"same_chunk,omitempty"`
	Apart        [][]string `json:"not_same_chunk,omitempty"`
	StartsOnlyAt []string   `json:"starts_only_at,omitempty"`
	NotStart     []string   `json:"must_not_start_chunk,omitempty"`
	NotEnd       []string   `json:"must_not_end_chunk,omitempty"`
	Breadcrumbs  []crumb    `json:"breadcrumb_of,omitempty"`
	Allowed      [][]choice `json:"breadcrumbs_allowed,omitempty"`
	NotHeading   []string   `json:"must_not_be_heading,omitempty"`
	ContextOf    []struct {
		Text     string   `json:"text"`
		Contains []string `json:"contains"`
	} `json:"context_of,omitempty"`
	EveryHeader  []string   `json:"every_chunk_contains_header,omitempty"`
	NotEmbedded  []string   `json:"embed_must_not_contain,omitempty"`
	EmbeddedOnce []string   `json:"embed_must_not_repeat,omitempty"`
	InOrder      []string   `json:"in_order,omitempty"`
	Records      [][]choice `json:"records,omitempty"`  // all table rows, header first; a last cell "…" allows more
	Warnings     *[]string  `json:"warnings,omitempty"` // the codes, in order
	Skips        *[]string  `json:"skips,omitempty"`    // the reasons, in order
	MinChunks    int        `json:"min_chunks,omitempty"`
	MaxChunks    *int       `json:"max_chunks,omitempty"`
}

// crumb says which breadcrumb each chunk has that meets the first occurrence of a text.
type crumb struct {
	Text     string    `json:"text"`
	Path     *[]choice `json:"path,omitempty"`
	Contains []string  `json:"path_contains,omitempty"`
	Lacks    []string  `json:"path_lacks,omitempty"`
	Optional bool      `json:"optional,omitempty"` // the text may be in no chunk
}

// choice is a string or a list of alternatives.
type choice []string

func (c *choice) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*c = choice{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(c))
}

// part is a string and how many times it stands in the input.
type part struct {
	text  string
	count int
}

func (p *part) UnmarshalJSON(b []byte) error {
	pair := []any{&p.text, &p.count}
	if err := json.Unmarshal(b, &pair); err != nil || len(pair) != 2 {
		return fmt.Errorf("input part %s: want [string, count]: %v", b, err)
	}
	return nil
}

// loadCase reads a case and gives the name and the bytes of its input.
func loadCase(t *testing.T, dir string) (e expect, name string, data []byte) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	if e.Input != "" {
		if data, err = os.ReadFile(filepath.Join(dir, e.Input)); err != nil {
			t.Fatal(err)
		}
		return e, e.Input, data
	}
	var b strings.Builder
	for _, p := range e.InputParts {
		b.WriteString(strings.Repeat(p.text, p.count))
	}
	return e, "input" + map[string]string{"markdown": ".md", "prose": ".txt"}[e.Plugin], []byte(b.String())
}

// limit is how long one call may take. What a case does not say is what a slow core needs for anything small.
func (e *expect) limit() time.Duration {
	if e.Seconds > 0 {
		return time.Duration(e.Seconds) * time.Second
	}
	return time.Minute
}
