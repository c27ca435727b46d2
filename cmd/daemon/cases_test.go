package main_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/token"
)

// TestSplitterCases holds known failures of splitters against the whole chain: a real daemon with the real plugins,
// asked by the real client, twice. Each case is a folder of testdata/cases.
func TestSplitterCases(t *testing.T) {
	dirs, err := filepath.Glob("testdata/cases/*/expect.json")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	s := serve(t)
	for _, dir := range dirs {
		dir = filepath.Dir(dir)
		e, name, data := loadCase(t, dir)
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		names := e.Tokenizers
		if names == nil {
			names = []string{"cl100k_base", "o200k_base"}
		}
		for _, tokenizer := range names {
			t.Run(filepath.Base(dir)+"/"+tokenizer, func(t *testing.T) { e.run(t, s, data, file, tokenizer) })
		}
	}
}

// run asks twice and checks the answer.
func (e *expect) run(t *testing.T, s served, data []byte, file, tokenizer string) {
	start := time.Now()
	a := splitFile(t, s, e, file, tokenizer)
	if took := time.Since(start); took > e.limit() {
		t.Errorf("took %v", took)
	}
	if d := cmp.Diff(a, splitFile(t, s, e, file, tokenizer)); d != "" { // I7
		t.Errorf("two answers differ:\n%s", d)
	}
	if !e.accepts(a.Error) {
		t.Fatalf("error %+v", a.Error)
	}
	if a.Error != nil {
		if len(a.Chunks) > 0 {
			t.Errorf("%d chunks together with an error", len(a.Chunks))
		}
		return
	}
	tok, err := token.Open(tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	e.invariants(t, data, a, tok)
	e.claims(t, data, a)
}

// accepts tells whether the case accepts that error, or its absence.
func (e *expect) accepts(r *control.Refusal) bool {
	if e.Error == nil {
		return r == nil
	}
	return slices.ContainsFunc(e.Error, func(code *string) bool {
		return code == nil && r == nil || code != nil && r != nil && *code == r.Code
	})
}
