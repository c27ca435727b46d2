package main

import (
	"context"
	"os"
	"testing"

	"github.com/cleave-project/cleave/sdk"
	"github.com/cleave-project/cleave/sdk/sdktest"
)

// split describes content and fails the test where the outline breaks a rule of the contract.
func split(ctx context.Context, t testing.TB, content []byte) sdk.Outline {
	t.Helper()
	s, f := Splitter{}, sdk.File{Content: content, MediaType: "text/plain"}
	for _, p := range sdktest.Check(ctx, s, "content", f) {
		t.Error(p)
	}
	o, err := s.Split(ctx, f)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestContract checks every rule over the files below the directory that CORPUS names, and over hostile content.
func TestContract(t *testing.T) {
	for _, p := range sdktest.CheckInfo(Splitter{}) {
		t.Error(p)
	}
	root := os.Getenv("CORPUS")
	if root == "" {
		t.Log("CORPUS is not set: hostile content only")
		root = t.TempDir()
	}
	for p, err := range sdktest.Corpus(t.Context(), Splitter{}, os.DirFS(root)) {
		if err != nil {
			t.Fatal(err)
		}
		t.Error(p)
	}
}
