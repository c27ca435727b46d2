package daemon

import (
	"context"
	"errors"

	"github.com/cleave-project/cleave/core/answer"
	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/dispatch"
	"github.com/cleave-project/cleave/core/ingest"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/token"
	"github.com/cleave-project/cleave/sdk"
)

// Split gives the chunks that a file would have. It changes nothing and opens no path: the bytes come with the request.
// A file that is refused is an answer with the refusal.
func (d *daemon) Split(ctx context.Context, _ control.Caller, r control.SplitRequest) (control.SplitAnswer, error) {
	if err := d.splitting.Acquire(ctx, 1); err != nil {
		return control.SplitAnswer{}, err
	}
	defer d.splitting.Release(1)
	in := ingest.Input{Raw: r.Content, Revision: object.Sum(r.Content), Policy: d.policyFor(r)}
	tok, err := d.tokenizerFor(r, in.Policy.Tokenizer)
	if err == nil {
		err = chunk.Validate(in.Policy)
	}
	var res ingest.Result
	if err == nil {
		in.Route = d.routeFor(r)
		res, err = ingest.Cut(ctx, d.plugins, tok, nil, in)
	}
	doc := &answer.Document{Tenant: defaultTenant, Path: object.Path(r.Name), Record: res.Doc, PluginSHA: in.Route.Plugin.SHA256}
	if err != nil {
		return refused(doc, in, err)
	}
	record, err := object.EncodeDocument(doc.Record)
	if err != nil {
		return control.SplitAnswer{}, err
	}
	doc.ID = object.Sum(record)
	return d.splitAnswer(doc, res, r.Outline)
}

func (d *daemon) splitAnswer(doc *answer.Document, res ingest.Result, outline bool) (control.SplitAnswer, error) {
	doc.Segments = res.Segments
	doc.Hold(res.Text)
	a, err := doc.Split(res.Chunks)
	if err == nil && outline {
		a.Units = answer.Units(res.Outline)
	}
	return a, err
}

// refused says why there are no chunks; what is known of the file is said all the same.
func refused(doc *answer.Document, in ingest.Input, err error) (control.SplitAnswer, error) {
	var e *sdk.Error
	if !errors.As(err, &e) {
		return control.SplitAnswer{}, err
	}
	doc.Record.Revision, doc.Record.Bytes = in.Revision, int64(len(in.Raw))
	doc.Record.MediaType, doc.Record.Lang = in.Route.MediaType, in.Route.Lang
	doc.Record.Plugin = object.PluginRef{Name: in.Route.Plugin.Name, Version: in.Route.Plugin.Version}
	doc.Record.Coords = object.CoordsSource
	return control.SplitAnswer{Document: doc.Wire(), Error: &control.Refusal{Code: string(e.Code), Message: e.Message}}, nil
}

// policyFor is the daemon's policy with what the request changes.
func (d *daemon) policyFor(r control.SplitRequest) object.Policy {
	p := policyOf(d.cfg.Chunking)
	for to, with := range map[*string]string{&p.Strategy: r.Strategy, &p.Tokenizer: r.Tokenizer, &p.Oversize: r.Oversize} {
		if with != "" {
			*to = with
		}
	}
	p.Tokenizer = portable(p.Tokenizer)
	for to, with := range map[*int]*int{&p.MaxTokens: r.MaxTokens, &p.Overlap: r.Overlap, &p.TargetTokens: r.TargetTokens} {
		if with != nil {
			*to = *with
		}
	}
	return p
}

// tokenizerFor opens a tokenizer by name. The file of a WordPiece vocabulary is the client's: its bytes come along, and
// only one that the configuration names itself is read here.
func (d *daemon) tokenizerFor(r control.SplitRequest, name string) (token.Tokenizer, error) {
	var tok token.Tokenizer
	var err error
	switch {
	case len(r.Vocabulary) > 0:
		tok, err = token.ParseWordPiece(name, r.Vocabulary)
	default:
		tok, err = d.toks.open(name)
	}
	if err != nil {
		return nil, sdk.Errorf(sdk.CodeInvalidConfig, "tokenizer %s: %v", name, err)
	}
	return tok, nil
}

// routeFor is the plugin the request names, else the one that claims the file.
func (d *daemon) routeFor(r control.SplitRequest) dispatch.Route {
	if r.Plugin == "" {
		return d.plugins.Route(r.Name, nil)
	}
	return d.plugins.RouteTo(r.Plugin, r.Name, nil)
}
