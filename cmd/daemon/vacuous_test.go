package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// ends is a line of a script after which testscript runs no other: its own stop, which ends the script with success.
var ends = regexp.MustCompile(`(?m)^(! )?stop\b.*$`)

// TestScriptsRunToTheirEnd: no script passes because its checks stand behind a line that ends it. The daemon is ended by
// sigterm.
func TestScriptsRunToTheirEnd(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("%d scripts, %v", len(scripts), err)
	}
	for _, script := range scripts {
		data, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		if line := ends.Find(data); line != nil {
			t.Errorf("%s: %q ends the script there; sigterm ends the daemon", script, line)
		}
	}
}
