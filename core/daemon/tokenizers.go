package daemon

import (
	"fmt"
	"os"
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
// contract. What older records were cut with is found by its hash.
type tokenizers struct {
	kept vocabularies

	mu    sync.Mutex                 // guards all below
	made  map[string]token.Tokenizer // by name
	older map[string]token.Tokenizer // by hash
	spare token.Tokenizer            // counts for one that is gone: the first that the configuration names
}

func newTokenizers(kept vocabularies) *tokenizers {
	return &tokenizers{kept: kept, made: map[string]token.Tokenizer{}, older: map[string]token.Tokenizer{}, spare: token.Words{}}
}

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

// load opens a tokenizer by its configured name, and keeps its vocabulary.
func (t *tokenizers) load(name string) error {
	tok, vocab, err := read(name)
	if err != nil {
		return fmt.Errorf("%w (name a file that cleaved may read)", err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if other, ok := t.made[portable(name)]; ok && other.Hash() != tok.Hash() {
		return fmt.Errorf("another vocabulary is called %s too; give the files different names", portable(name))
	}
	if len(t.made) == 0 {
		t.spare = tok
	}
	t.made[portable(name)] = tok
	if vocab == nil {
		return nil
	}
	return t.kept.keep(vocab)
}

// read opens a tokenizer, and returns its vocabulary where that is a file of its own.
func read(name string) (token.Tokenizer, []byte, error) {
	file, ok := strings.CutPrefix(name, wordPiece)
	if !ok || file == "" {
		tok, err := token.Open(name)
		return tok, nil, err
	}
	vocab, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, fmt.Errorf("read vocabulary: %w", err)
	}
	tok, err := token.ParseWordPiece(name, vocab)
	return tok, vocab, err
}

// of finds the tokenizer that a record was cut with, by the name and hash it carries. Where it is gone another counts, and
// the note says so: an answer with a budget that is about right is better than none.
func (t *tokenizers) of(name, hash string) (tok token.Tokenizer, note string) {
	tok, err := t.open(name)
	if err == nil && (hash == "" || tok.Hash() == hash) {
		return tok, ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if tok, ok := t.older[hash]; ok {
		return tok, ""
	}
	if tok, err := t.kept.open(name, hash); err == nil {
		t.older[hash] = tok
		return tok, ""
	}
	return t.spare, fmt.Sprintf("the vocabulary of %s that some documents were cut with is gone: their tokens are counted with %s", name, portable(t.spare.Name()))
}

// open finds a tokenizer by the name that policies carry.
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
		return fmt.Errorf("tokenizer %s: %w", p.Tokenizer, err)
	}
	return nil
}
