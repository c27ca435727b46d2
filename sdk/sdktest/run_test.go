package sdktest_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cleave-project/cleave/sdk/sdktest"
)

// recorder is a T that keeps what is reported.
type recorder struct {
	*testing.T
	errors []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func (r *recorder) Context() context.Context { return r.T.Context() }

// TestRun runs a real binary: it is clean on honest files, and every file that it fails on is named, also after it died.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "cleave-plugin-test")
	if out, err := exec.Command("go", "build", "-o", binary, "../host/testdata/testplugin").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	corpus := filepath.Join(dir, "corpus")
	for name, content := range map[string]string{
		"a/good.test":   "one\n\ntwo\n",
		"b/crash.test":  "CRASH",
		"c/lie.test":    "LIE beyond",
		"d/refuse.test": "REFUSE",
		"e/fail.test":   "FAIL",
		"f/good.test":   "\ufeffthree\n",
		"not claimed":   "CRASH",
		"latin1.test":   "CRASH \xe9",
	} {
		path := filepath.Join(corpus, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := &recorder{T: t}
	sdktest.Run(r, binary, corpus)
	want := []string{"b/crash.test:0: answers: ", "c/lie.test:0: range: ", "e/fail.test:0: answers: "}
	if len(r.errors) != len(want) {
		t.Fatalf("%d problems, want %d:\n%s", len(r.errors), len(want), strings.Join(r.errors, "\n"))
	}
	for i, prefix := range want {
		if !strings.HasPrefix(r.errors[i], prefix) {
			t.Errorf("problem %d is %q, want %q...", i, r.errors[i], prefix)
		}
	}
}
