package chunk_test

import (
	"testing"

	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/core/object"
)

// Whatever may change a chunk changes the contract (B3), and no two values run into each other.
func TestContractBindsEverything(t *testing.T) {
	plugin, p := object.PluginRef{Name: "markdown", Version: "1"}, structural(400, 0)
	seen := map[object.ID]string{chunk.Contract(plugin, "o", p, "h"): "the first"}
	add := func(name string, id object.ID) {
		if other, ok := seen[id]; ok {
			t.Errorf("%s has the contract of %s", name, other)
		}
		seen[id] = name
	}
	add("name", chunk.Contract(object.PluginRef{Name: "markdown1", Version: ""}, "o", p, "h"))
	add("version", chunk.Contract(object.PluginRef{Name: "markdown", Version: "2"}, "o", p, "h"))
	add("options", chunk.Contract(plugin, "", p, "oh"))
	add("hash", chunk.Contract(plugin, "o", p, "i"))
	for name, change := range map[string]func(*object.Policy){
		"strategy":  func(p *object.Policy) { p.Strategy = chunk.Fixed },
		"size":      func(p *object.Policy) { p.MaxTokens++ },
		"overlap":   func(p *object.Policy) { p.Overlap++ },
		"tokenizer": func(p *object.Policy) { p.Tokenizer = "words" },
		"oversize":  func(p *object.Policy) { p.Oversize = chunk.OversizeReject },
		"target":    func(p *object.Policy) { p.TargetTokens++ },
	} {
		q := p
		change(&q)
		add(name, chunk.Contract(plugin, "o", q, "h"))
	}
	if id := chunk.Contract(plugin, "o", p, "h"); seen[id] != "the first" {
		t.Error("equal contracts differ")
	}
}
