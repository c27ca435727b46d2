package daemon

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/token"
)

// vocabularies keeps a copy of each vocabulary that was ever loaded, in a file named by its SHA-256: records that were
// cut with it are counted with it as long as they are kept, whatever the configuration names now. The zero value keeps
// nothing. Nothing is removed: a file is about 200 kB, and there are as many as an operator has tried tokenizers.
type vocabularies struct {
	dir string
}

// keep stores a vocabulary, on disk when it returns. A copy that is damaged is replaced.
func (v vocabularies) keep(vocab []byte) error {
	if v.dir == "" {
		return nil
	}
	path := filepath.Join(v.dir, hashOf(vocab))
	if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, vocab) {
		return nil
	}
	if err := os.MkdirAll(v.dir, 0o700); err != nil {
		return fmt.Errorf("keep vocabulary: %w", err)
	}
	if err := replace(path, vocab); err != nil {
		return fmt.Errorf("keep vocabulary: %w", err)
	}
	return nil
}

// replace writes a file so that its name never stands for a part of it.
func replace(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails where it has its name
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// open reads a kept vocabulary. fs.ErrNotExist: it was never loaded here.
func (v vocabularies) open(name, hash string) (token.Tokenizer, error) {
	if _, err := object.ParseID(hash); err != nil || v.dir == "" {
		return nil, fs.ErrNotExist
	}
	vocab, err := os.ReadFile(filepath.Join(v.dir, hash))
	if err != nil {
		return nil, err
	}
	if hashOf(vocab) != hash {
		return nil, fmt.Errorf("the kept vocabulary %s is damaged", hash)
	}
	return token.ParseWordPiece(name, vocab)
}

func hashOf(vocab []byte) string {
	sum := sha256.Sum256(vocab)
	return hex.EncodeToString(sum[:])
}
