package ingest_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/token"
)

// A plugin's word that a file is no document costs the file no more than any other refusal: its last good version stays
// (I12). What we find out ourselves takes it away.
func TestPluginCannotTakeADocumentAway(t *testing.T) {
	for _, code := range []string{"binary", "unsupported_type", "too_large"} {
		l := newLab(t, t.TempDir(), openPlugins(t, "markdown", "test", "text"))
		l.write("a.test", "Some honest words.\n")
		l.scan()
		l.write("a.test", "REFUSE "+code+"\n")
		r := l.scan()
		f := l.failures()["a.test"]
		if e := l.entries()["a.test"]; e.State != object.StateStale || l.text("a.test") != "Some honest words.\n" || f.Code != code {
			t.Errorf("%s: entry %+v, failure %+v", code, e, f)
		}
		if len(r.Quarantined) != 1 || r.Quarantined[0].Path != "a.test" || r.Quarantined[0].Failure != f || r.LeftOut != 0 {
			t.Errorf("%s: report %+v", code, r)
		}
		l.unchanged()
		if r := l.scan(); len(r.Quarantined) != 0 {
			t.Errorf("%s: a file that was not tried is reported: %+v", code, r.Quarantined)
		}
		l.write("a.test", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
		if r := l.scan(); r.Generation.Delta.Removed != 1 || r.LeftOut != 1 || len(l.failures()) != 0 {
			t.Errorf("%s: our own finding: %+v", code, r)
		}
	}
}

// brittle panics at one word.
type brittle struct{ token.Tokenizer }

func (b brittle) Count(text []byte) int {
	if bytes.Contains(text, []byte("Gasket")) {
		panic("no gaskets here")
	}
	return b.Tokenizer.Count(text)
}

// A fault of our own on one file costs that file, and neither the run nor the process (C8).
func TestOurFaultCostsOneFile(t *testing.T) {
	l := newLab(t, t.TempDir(), openPlugins(t, "markdown", "text"))
	l.deps.Tokenizers = func(name string) (token.Tokenizer, error) {
		tok, err := token.Open(name)
		return brittle{tok}, err
	}
	l.write("bad.md", paragraphs("Gasket", 4))
	l.write("good.md", paragraphs("Valve", 4))
	r := l.scan()
	entries := l.entries()
	if entries["bad.md"].State != object.StateFailed || entries["good.md"].State != object.StateCurrent || r.Failed != 1 {
		t.Fatalf("%+v, %+v", r, entries)
	}
	q := r.Quarantined
	if len(q) != 1 || !strings.Contains(q[0].Failure.Message, "bug in cleave") || !strings.Contains(q[0].Failure.Message, "no gaskets here") ||
		!strings.Contains(q[0].Stack, "brittle.Count") {
		t.Errorf("quarantined %+v", q)
	}
	l.unchanged()
}
