package chunk

import (
	"context"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/outline"
	"github.com/cleave-project/cleave/core/text"
	"github.com/cleave-project/cleave/core/token"
	"github.com/cleave-project/cleave/sdk"
)

// Packed is what packing a document gives: its chunks in order, and the sentences that no chunk holds whole.
type Packed struct {
	Chunks []object.Chunk
	Cut    []object.Span
}

// Pack makes the chunks of o under p, counted with tok. It may be called from several goroutines at once. The error is
// ctx's, or an *sdk.Error: invalid_config before any work, header_exceeds_budget, oversize_rejected.
//
// A breadcrumb never fails a document: what does not fit is left out of the embedding text (frame.go).
func Pack(ctx context.Context, o *outline.Outline, p object.Policy, tok token.Tokenizer) (*Packed, error) {
	if err := validateFor(p, tok); err != nil {
		return nil, err
	}
	if sdk.Blank(o.Text) {
		return &Packed{}, nil
	}
	k := newPacker(ctx, o, p, tok)
	var err error
	switch p.Strategy {
	case Structural:
		err = k.structural()
	case Recursive:
		err = k.recursive()
	case Fixed:
		err = k.fixed()
	}
	if err != nil {
		return nil, err
	}
	return &Packed{Chunks: k.out, Cut: k.torn()}, nil
}

// packer is the state of one call of Pack.
type packer struct {
	ctx     context.Context // of the one call this value lives for
	o       *outline.Outline
	policy  object.Policy
	tok     token.Tokenizer
	text    []byte
	whole   *token.Measured
	room    int // tokens of an embedding text without special ones
	aim     int // joining stops here
	borders []span
	tree    tree
	lines   *text.LineIndex
	frames  frames
	table   columns // of the table last cut by columns
	window  *window // over the text last cut
	scratch scratch

	out []object.Chunk
	cut []span // sentences that a cut went through
}

// scratch is memory that is used again and again.
type scratch struct {
	contexts []object.Context
	seen     map[object.Span]bool
	chain    []int
	cuts     []int
	ranges   []span
}

func newPacker(ctx context.Context, o *outline.Outline, p object.Policy, tok token.Tokenizer) *packer {
	k := &packer{ctx: ctx, o: o, policy: p, tok: tok, text: o.Text, whole: token.Measure(tok, o.Text),
		room: p.MaxTokens - tok.Special(), lines: text.NewLineIndex(o.Text)}
	k.scratch.seen = make(map[object.Span]bool)
	k.aim = k.room
	if p.TargetTokens > 0 {
		k.aim = max(1, p.TargetTokens-tok.Special())
	}
	for _, s := range o.Borders() {
		k.borders = append(k.borders, spanOf(s.Span))
	}
	return k
}

// structural packs along the tree of units.
func (k *packer) structural() error {
	k.tree = newTree(k.o.Units)
	return k.pack(k.flatten(), joins)
}
