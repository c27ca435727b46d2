package main

import (
	"context"

	"github.com/cleave-project/cleave/sdk"
)

// version is part of the splitting contract: raise it whenever an outline may change.
const version = "1.0.0"

// Splitter describes plain text. It holds no state.
type Splitter struct{}

var _ sdk.Splitter = Splitter{}

// Info implements sdk.Splitter. The glob of one star claims what nobody else does.
func (Splitter) Info() sdk.Info {
	return sdk.Info{
		Name:       "text",
		Version:    version,
		Globs:      []string{"*", "*.txt", "*.text"},
		MediaTypes: []string{"text/plain"},
		Languages:  []string{"text"},
		Input:      sdk.InputText,
	}
}

// Split implements sdk.Splitter. It refuses nothing.
func (Splitter) Split(ctx context.Context, f sdk.File) (sdk.Outline, error) {
	b := builder{ended: ctx.Err, src: f.Content, label: -1}
	whole := sdk.Span{Start: 0, End: len(f.Content)}
	if ts := turns(f.Content); ts != nil {
		b.turns(ts, whole)
	} else if cs := clauses(f.Content); cs != nil {
		b.clauses(cs, whole)
	} else {
		b.prose(whole, 0)
	}
	if err := ctx.Err(); err != nil {
		return sdk.Outline{}, err
	}
	out := sdk.Outline{Units: b.units}
	if len(out.Units) == 0 {
		out.Warnings = []sdk.Warning{{Code: sdk.WarnEmpty, Message: "no text"}}
	}
	return out, nil
}
