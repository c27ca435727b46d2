package main

import (
	"context"

	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/cleave-project/cleave/sdk"
)

// version is part of the splitting contract: raise it whenever an outline may change.
const version = "1.0.0"

// Splitter describes Markdown. It holds no state of a file and serves several goroutines.
type Splitter struct {
	blocks  parser.Parser
	inlines parser.Parser
}

var _ sdk.Splitter = (*Splitter)(nil)

// New makes a Splitter.
func New() *Splitter {
	return &Splitter{blocks: blockParser(), inlines: inlineParser()}
}

// Info implements sdk.Splitter.
func (s *Splitter) Info() sdk.Info {
	return sdk.Info{
		Name:       "markdown",
		Version:    version,
		Globs:      []string{"*.md", "*.markdown", "*.mdown", "*.mkd", "*.mkdn", "*.mdx"},
		MediaTypes: []string{"text/markdown"},
		Languages:  []string{"markdown"},
		Input:      sdk.InputText,
	}
}

// Split implements sdk.Splitter. It refuses nothing but a file of more than maxLines lines or
// maxUnits units.
func (s *Splitter) Split(ctx context.Context, f sdk.File) (sdk.Outline, error) {
	if err := checkLines(f.Content); err != nil {
		return sdk.Outline{}, err
	}
	var out sdk.Outline
	base := frontMatter(f.Content, &out)
	src := lineFeeds(f.Content[base:])
	pc := parser.NewContext()
	root := s.blocks.Parse(newReader(text.NewReader(src), ctx.Err), parser.WithContext(pc))
	if err := ctx.Err(); err != nil {
		return sdk.Outline{}, err
	}
	b := builder{ended: ctx.Err, src: src, base: base, out: &out, names: namer{s.inlines, pc}, fences: fenceEnds(pc)}
	b.document(root)
	if err := ctx.Err(); err != nil {
		return sdk.Outline{}, err
	}
	if err := b.finish(); err != nil {
		return sdk.Outline{}, err
	}
	return out, nil
}
