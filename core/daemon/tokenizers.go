package daemon

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/core/config"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/token"
)

// tokenizers holds each tokenizer that the configuration names, by a name that means the same on every machine (I7).
// Vocabularies are read when the configuration is, so that a file that changes later cannot give two meanings to one
// contract.
type tokenizers struct {
	mu   sync.Mutex // guards made
	made map[string]token.Tokenizer
}

func newTokenizers() *tokenizers { return &tokenizers{made: map[string]token.Tokenizer{}} }

// wordPiece begins the name of a tokenizer that has a file.
const wordPiece = "wordpiece:"

// portable is a tokenizer's name without the folder that its file lies in. The file's hash is part of the contract.
func portable(name string) string {
	if file, ok := strings.CutPrefix(name, wordPiece); ok {
		return wordPiece + filepath.Base(file)
	}
	return name
}

// policyOf is a configured policy as records carry it.
func policyOf(c config.Policy) object.Policy {
	p := object.Policy(c)
	p.Tokenizer = portable(p.Tokenizer)
	return p
}

// load opens a tokenizer by its configured name.
func (t *tokenizers) load(name string) error {
	tok, err := token.Open(name)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if other, ok := t.made[portable(name)]; ok && other.Hash() != tok.Hash() {
		return fmt.Errorf("another vocabulary is called %s too; give the files different names", portable(name))
	}
	t.made[portable(name)] = tok
	return nil
}

// open finds a tokenizer by the name that records carry.
func (t *tokenizers) open(name string) (token.Tokenizer, error) {
	t.mu.Lock()
	tok, ok := t.made[name]
	t.mu.Unlock()
	if ok {
		return tok, nil
	}
	if strings.HasPrefix(name, wordPiece) {
		return nil, fmt.Errorf("tokenizer %s: the configuration names no such vocabulary", name)
	}
	return token.Open(name)
}

// checkPolicies loads what the configuration names and refuses at start what no scan could use.
func (d *daemon) checkPolicies() error {
	if err := d.checkPolicy(d.cfg.Chunking); err != nil {
		return fmt.Errorf("%w: %s: chunking: %w", ErrConfig, d.configFile, err)
	}
	for _, s := range d.cfg.Sources {
		for _, p := range s.Policies(d.cfg.Chunking) {
			if err := d.checkPolicy(p); err != nil {
				return fmt.Errorf("%w: %s: source %s: %w", ErrConfig, d.configFile, s.Name, err)
			}
		}
	}
	return nil
}

func (d *daemon) checkPolicy(p config.Policy) error {
	if err := chunk.Validate(policyOf(p)); err != nil {
		return err
	}
	if err := d.toks.load(p.Tokenizer); err != nil {
		return fmt.Errorf("tokenizer %s: %w (name a file that cleaved may read)", p.Tokenizer, err)
	}
	return nil
}
