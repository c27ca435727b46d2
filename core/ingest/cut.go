package ingest

import (
	"context"
	"errors"
	"fmt"

	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/core/dispatch"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/outline"
	"github.com/cleave-project/cleave/core/text"
	"github.com/cleave-project/cleave/core/token"
	"github.com/cleave-project/cleave/sdk"
)

// Splitters routes a file to a plugin and calls it. *dispatch.Dispatcher is one.
type Splitters interface {
	Route(name string, head []byte) dispatch.Route
	Whole() bool
	Has(plugin string) bool
	Split(ctx context.Context, r dispatch.Route, f sdk.File) (sdk.Outline, error)
}

var _ Splitters = (*dispatch.Dispatcher)(nil)

// Outlines caches outlines by the hash of all they depend on. *store.Store and *store.Stage together are one; nil
// caches nothing.
type Outlines interface {
	Outline(ctx context.Context, key object.ID) ([]byte, bool, error)
	PutOutline(ctx context.Context, key object.ID, data []byte) error
}

// Input is one file to cut.
type Input struct {
	Raw      []byte
	Revision object.ID // of Raw
	Route    dispatch.Route
	Policy   object.Policy
}

// Result is what became of one file. Doc lacks only what the store fills in.
type Result struct {
	Doc      object.Document
	Text     []byte
	Chunks   []object.Chunk
	Segments []object.Segment
	Outline  *outline.Outline
}

// Cut takes a file through hops 6-8: plugin, check, packing. It changes nothing but the outline cache. The error is an
// *sdk.Error where the file is to blame, ctx's where ctx ended, and any other where we are.
func Cut(ctx context.Context, s Splitters, tok token.Tokenizer, cache Outlines, in Input) (Result, error) {
	if in.Route.Err != nil {
		return Result{}, in.Route.Err
	}
	var dec text.Decoded
	err := guarded(ctx, "decoding", func() (err error) { dec, err = text.Decode(in.Raw); return err })
	if err != nil {
		return Result{}, err
	}
	o, err := outlineOf(ctx, s, cache, in, dec)
	if err != nil {
		return Result{}, err
	}
	var packed *chunk.Packed
	err = guarded(ctx, "packing", func() (err error) { packed, err = chunk.Pack(ctx, o, in.Policy, tok); return err })
	if err != nil {
		return Result{}, err
	}
	plugin := object.PluginRef{Name: in.Route.Plugin.Name, Version: in.Route.Plugin.Version}
	doc := object.Document{
		Revision:      in.Revision,
		Bytes:         int64(len(in.Raw)),
		MediaType:     in.Route.MediaType,
		Lang:          o.Lang,
		Title:         o.Title,
		Titled:        o.Titled,
		Encoding:      dec.Encoding,
		Coords:        o.Coords,
		Plugin:        plugin,
		Contract:      chunk.Contract(plugin, noOptions, in.Policy, tok.Hash()),
		Policy:        in.Policy,
		TokenizerHash: tok.Hash(),
		Meta:          o.Meta,
		TextLen:       int64(len(o.Text)),
		NumChunks:     len(packed.Chunks),
		Skips:         o.Skips,
		Warnings:      o.Warnings,
		Cut:           packed.Cut,
	}
	return Result{Doc: doc, Text: o.Text, Chunks: packed.Chunks, Segments: o.Segments, Outline: o}, nil
}

// noOptions: no plugin takes options in this version; the contract has a place for them.
const noOptions = ""

// outlineOf is hops 6 and 7, or the cache.
func outlineOf(ctx context.Context, s Splitters, cache Outlines, in Input, dec text.Decoded) (*outline.Outline, error) {
	if cache == nil {
		return ask(ctx, s, in, dec)
	}
	key := outlineKey(in.Revision, in.Route)
	o, err := cached(ctx, cache, key, in.Raw)
	if o != nil || err != nil {
		return o, err
	}
	if o, err = ask(ctx, s, in, dec); err != nil {
		return nil, err
	}
	var data []byte
	err = guarded(ctx, "encoding the outline", func() (err error) { data, err = outline.Encode(o); return err })
	if err != nil {
		return nil, err
	}
	if err := cache.PutOutline(ctx, key, data); err != nil {
		return nil, fmt.Errorf("outline %s: %w", key, err)
	}
	return o, nil
}

// cached is the outline in the cache, nil if there is none. One that cannot be read is derived data that is damaged or
// old: the file is split again and the outline overwritten.
func cached(ctx context.Context, cache Outlines, key object.ID, raw []byte) (*outline.Outline, error) {
	data, ok, err := cache.Outline(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("outline %s: %w", key, err)
	}
	if !ok {
		return nil, nil
	}
	var o *outline.Outline
	err = guarded(ctx, "decoding the outline", func() (err error) { o, err = outline.Decode(data, raw); return err })
	if err != nil {
		return nil, ctx.Err()
	}
	return o, nil
}

// ask has the plugin split the file and checks what it says.
func ask(ctx context.Context, s Splitters, in Input, dec text.Decoded) (*outline.Outline, error) {
	content := in.Raw
	if in.Route.Plugin.Input == sdk.InputText {
		content = in.Raw[dec.Base:]
	}
	said, err := s.Split(ctx, in.Route, sdk.File{Content: content, MediaType: in.Route.MediaType, Language: in.Route.Lang})
	if err != nil {
		return nil, pluginError{err}
	}
	whole := outline.Input{Raw: in.Raw, Base: dec.Base, Takes: in.Route.Plugin.Input,
		MediaType: in.Route.MediaType, Lang: in.Route.Lang, Encoding: dec.Encoding}
	var o *outline.Outline
	err = guarded(ctx, "checking the outline", func() (err error) {
		o, err = outline.Check(whole, said)
		var broken *outline.Error
		if errors.As(err, &broken) {
			return pluginError{sdk.Errorf(sdk.CodePluginBrokeContract, "plugin %s: %v", in.Route.Plugin.Name, err)}
		}
		return err
	})
	return o, err
}
