package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/cleave-project/cleave/sdk/sdktest"
)

// TestBinary runs the built plugin in processes of its own, as the daemon does.
func TestBinary(t *testing.T) {
	if testing.Short() {
		t.Skip("short: builds and runs a program")
	}
	binary := filepath.Join(t.TempDir(), "plugin")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	sdktest.Run(t, binary, os.Getenv("CORPUS"))
}
