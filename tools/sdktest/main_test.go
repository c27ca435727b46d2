package main

import (
	"errors"
	"testing"
)

// TestNoPlugin: what is no plugin is one problem, and the end.
func TestNoPlugin(t *testing.T) {
	p := &printer{}
	if err := p.run("/bin/true", ""); !errors.Is(err, errStopped) || p.problems != 1 {
		t.Errorf("%v, %d problems", err, p.problems)
	}
}
