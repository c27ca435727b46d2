package chunk

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/token"
	"github.com/cleave-project/cleave/sdk"
)

// Version is the packer's version, part of the splitting contract: it changes whenever equal outlines may give other
// chunks.
//
//	1  first form
const Version = 1

// The strategies and the rules for what does not fit. Reject is about units, so it binds the structural strategy only: the
// others know none.
const (
	Structural = "structural"
	Recursive  = "recursive"
	Fixed      = "fixed"

	OversizeSplit  = "split"
	OversizeReject = "reject"
)

// minRoom is the least number of tokens a budget must leave beside special tokens. Breadcrumb and context may take a
// third each, and what remains must hold one character, which has at most four tokens (one a byte).
const minRoom = 8

// Validate checks what can be said about a policy before any work (A4). The error is an *sdk.Error, invalid_config.
func Validate(p object.Policy) error {
	switch {
	case !slices.Contains([]string{Structural, Recursive, Fixed}, p.Strategy):
		return sdk.Errorf(sdk.CodeInvalidConfig, "strategy %q is not one of structural, recursive, fixed", p.Strategy)
	case p.Oversize != OversizeSplit && p.Oversize != OversizeReject:
		return sdk.Errorf(sdk.CodeInvalidConfig, "oversize %q is not one of split, reject", p.Oversize)
	case p.MaxTokens < minRoom:
		return sdk.Errorf(sdk.CodeInvalidConfig, "max_tokens %d is below %d", p.MaxTokens, minRoom)
	case p.Overlap < 0 || p.Overlap >= p.MaxTokens:
		return sdk.Errorf(sdk.CodeInvalidConfig, "overlap %d is not in 0..%d: it must be smaller than max_tokens", p.Overlap, p.MaxTokens-1)
	case p.TargetTokens < 0 || p.TargetTokens > p.MaxTokens:
		return sdk.Errorf(sdk.CodeInvalidConfig, "target_tokens %d is not in 0..%d (max_tokens)", p.TargetTokens, p.MaxTokens)
	}
	return nil
}

// validateFor checks a policy together with its tokenizer.
func validateFor(p object.Policy, tok token.Tokenizer) error {
	if err := Validate(p); err != nil {
		return err
	}
	room := p.MaxTokens - tok.Special()
	if room < minRoom {
		return sdk.Errorf(sdk.CodeInvalidConfig, "max_tokens %d leaves %d tokens beside the %d special ones of %s, at least %d are needed",
			p.MaxTokens, room, tok.Special(), tok.Name(), minRoom)
	}
	if p.Overlap >= room {
		return sdk.Errorf(sdk.CodeInvalidConfig, "overlap %d leaves no room: max_tokens %d is %d without special tokens", p.Overlap, p.MaxTokens, room)
	}
	return nil
}

// Contract is the hash of the whole splitting contract (B3): plugin name and version, options, packer version, policy,
// tokenizer and the hash of its files.
func Contract(plugin object.PluginRef, options string, p object.Policy, tokHash string) object.ID {
	f := framer{h: sha256.New()}
	f.str("cleave splitting contract")
	f.num(Version)
	f.str(plugin.Name)
	f.str(plugin.Version)
	f.str(options)
	f.str(p.Strategy)
	f.num(p.MaxTokens)
	f.num(p.Overlap)
	f.str(p.Tokenizer)
	f.str(p.Oversize)
	f.num(p.TargetTokens)
	f.str(tokHash)
	return f.sum()
}

// framer hashes a sequence of values so that no two sequences give the same bytes: each string goes in behind its
// length, each number as eight bytes.
type framer struct {
	h interface {
		Write([]byte) (int, error)
		Sum([]byte) []byte
	}
}

func (f framer) num(n int) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(n))
	f.h.Write(b[:]) // a hash's Write never fails
}

func (f framer) str(s string) { f.bytes([]byte(s)) }

func (f framer) bytes(b []byte) {
	f.num(len(b))
	f.h.Write(b) // a hash's Write never fails
}

func (f framer) sum() (id object.ID) {
	f.h.Sum(id[:0])
	return id
}
