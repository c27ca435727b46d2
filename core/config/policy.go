package config

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/cleave-project/cleave/core/glob"
)

// Policy is how documents are packed. Its fields are those of object.Policy, so that one converts to the other.
type Policy struct {
	Strategy     string `toml:"strategy" allowed:"\"structural\", \"recursive\", \"fixed\""`
	MaxTokens    int    `toml:"max_tokens" allowed:"a whole number from 1"`
	Overlap      int    `toml:"overlap" allowed:"a whole number from 0, smaller than max_tokens"`
	Tokenizer    string `toml:"tokenizer" allowed:"\"o200k_base\", \"cl100k_base\", \"wordpiece:FILE\" (an absolute path), \"words\""`
	Oversize     string `toml:"oversize" allowed:"\"split\", \"reject\""`
	TargetTokens int    `toml:"target_tokens" allowed:"a whole number from 0 to max_tokens; 0: join up to max_tokens"`
}

// Rule changes the policy of the documents of a source that it matches. A nil field leaves what was there.
type Rule struct {
	Match         string   `toml:"match" allowed:"a glob of paths relative to the source's root"`
	Strategy      *string  `toml:"strategy" allowed:"\"structural\", \"recursive\", \"fixed\""`
	MaxTokens     *int     `toml:"max_tokens" allowed:"a whole number from 1"`
	Overlap       *int     `toml:"overlap" allowed:"a whole number from 0, smaller than max_tokens"`
	Tokenizer     *string  `toml:"tokenizer" allowed:"\"o200k_base\", \"cl100k_base\", \"wordpiece:FILE\" (an absolute path), \"words\""`
	Oversize      *string  `toml:"oversize" allowed:"\"split\", \"reject\""`
	TargetTokens  *int     `toml:"target_tokens" allowed:"a whole number from 0 to max_tokens; 0: join up to max_tokens"`
	Readers       []string `toml:"readers" allowed:"[\"filesystem\"]"`
	EffectiveFrom string   `toml:"effective_from" allowed:"\"\""`
	EffectiveTo   string   `toml:"effective_to" allowed:"\"\""`
}

// Policy is the policy of the document at path: base, changed by every rule that matches, in the order they are
// written. Where two rules set the same key the later one wins, so general rules stand before special ones.
func (s Source) Policy(base Policy, path string) Policy {
	for _, r := range s.Rules {
		if glob.Match(r.Match, path) {
			base = r.apply(base)
		}
	}
	return base
}

// Policies are the policies that the source's documents may get as far as each rule by itself goes: base, and base
// changed by each rule.
func (s Source) Policies(base Policy) []Policy {
	all := []Policy{base}
	for _, r := range s.Rules {
		all = append(all, r.apply(base))
	}
	return all
}

func (r Rule) apply(p Policy) Policy {
	set(&p.Strategy, r.Strategy)
	set(&p.MaxTokens, r.MaxTokens)
	set(&p.Overlap, r.Overlap)
	set(&p.Tokenizer, r.Tokenizer)
	set(&p.Oversize, r.Oversize)
	set(&p.TargetTokens, r.TargetTokens)
	return p
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// fault is what is wrong with one key of a table.
type fault struct{ key, reason string }

// faults lists what is wrong with p, in the order of its keys (A4: an overlap not below the budget is refused).
func (p Policy) faults() []fault {
	var out []fault
	bad := func(key, format string, args ...any) { out = append(out, fault{key, fmt.Sprintf(format, args...)}) }
	switch p.Strategy {
	case "structural", "recursive", "fixed":
	case "semantic":
		bad("strategy", "%q %s", p.Strategy, notInForce)
	default:
		bad("strategy", "%q is not a strategy", p.Strategy)
	}
	if p.MaxTokens < 1 {
		bad("max_tokens", "%d is not above 0", p.MaxTokens)
	}
	switch {
	case p.Overlap < 0:
		bad("overlap", "%d is below 0", p.Overlap)
	case p.Overlap >= p.MaxTokens && p.MaxTokens > 0:
		bad("overlap", "%d is not smaller than max_tokens, which is %d", p.Overlap, p.MaxTokens)
	}
	if reason := tokenizerFault(p.Tokenizer); reason != "" {
		bad("tokenizer", "%s", reason)
	}
	if p.Oversize != "split" && p.Oversize != "reject" {
		bad("oversize", "%q is not a way to treat what is too large", p.Oversize)
	}
	switch {
	case p.TargetTokens < 0:
		bad("target_tokens", "%d is below 0", p.TargetTokens)
	case p.TargetTokens > p.MaxTokens && p.MaxTokens > 0:
		bad("target_tokens", "%d is above max_tokens, which is %d", p.TargetTokens, p.MaxTokens)
	}
	return out
}

// tokenizerFault wants the vocabulary's path absolute, since a daemon has no working directory worth naming.
func tokenizerFault(name string) string {
	file, wordpiece := strings.CutPrefix(name, "wordpiece:")
	switch {
	case name == "o200k_base", name == "cl100k_base", name == "words":
		return ""
	case !wordpiece:
		return fmt.Sprintf("%q is not a tokenizer", name)
	case file == "":
		return fmt.Sprintf("%q names no vocabulary file", name)
	case !filepath.IsAbs(file):
		return fmt.Sprintf("%q names a vocabulary by a relative path", name)
	}
	return ""
}
