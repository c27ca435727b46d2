package query

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/token"
)

// text is a document that is being quoted. It is opened once in a query.
type text struct {
	source *Source
	path   object.Path
	entry  object.Entry
	doc    object.Document
	chunks []object.Chunk
	tok    token.Tokenizer
	note   string  // why tok is not what the document was cut with; empty: it is
	window *window // what was measured last
	quoted map[object.Span][]byte
}

func openText(ctx context.Context, m *match) (*text, error) {
	t := &text{source: m.source, path: m.Path, entry: m.entry, quoted: map[object.Span][]byte{}}
	var err error
	if t.doc, err = m.source.Pin.Document(ctx, m.Doc); err == nil {
		t.chunks, err = m.source.Pin.Chunks(ctx, t.doc)
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%s: %w", m.source.Name, m.Path, err)
	}
	t.tok, t.note = m.source.Tokenizer(t.doc.Policy.Tokenizer, t.doc.TokenizerHash)
	return t, nil
}

// span is the text from the start of chunk first to the end of chunk last. Chunks may overlap, so the end is the largest.
func (t *text) span(first, last int) object.Span {
	s := t.chunks[first].Span
	for _, c := range t.chunks[first : last+1] {
		s.End = max(s.End, c.Span.End)
	}
	return s
}

// read is that text.
func (t *text) read(ctx context.Context, first, last int) ([]byte, error) {
	s := t.span(first, last)
	data, err := t.source.Pin.Text(ctx, t.doc, s.Start, s.End)
	if err != nil {
		return nil, fmt.Errorf("%s:%s: %w", t.source.Name, t.path, err)
	}
	return data, nil
}

// window is a range of chunks whose text has been tokenized, so that any slice of it is counted without doing it again.
type window struct {
	first, last int
	start       int64 // of the text, in bytes of the document's
	measured    *token.Measured
}

// count is the number of tokens of the text from chunk first to last with its context before it, exactly.
func (t *text) count(ctx context.Context, first, last int) (int, error) {
	if t.window == nil || first < t.window.first || last > t.window.last {
		if err := t.measure(ctx, first, last); err != nil {
			return 0, err
		}
	}
	s := t.span(first, last)
	measured := t.window.measured
	context, err := t.contextText(ctx, first, last)
	if err != nil {
		return 0, err
	}
	if len(context) > 0 {
		measured = measured.After(context)
	}
	return measured.Count(int(s.Start-t.window.start), int(s.End-t.window.start)), nil
}

// context is what the chunks first to last repeat and the text from first to last does not hold: header rows, keys,
// signatures. A passage without it would be rows without their header (A9).
func (t *text) context(first, last int) []object.Context {
	span := t.span(first, last)
	var out []object.Context
	for _, c := range t.chunks[first : last+1] {
		for _, x := range c.Context {
			if !within(span, x.Span) && !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	return out
}

// contextText is the text of that context, as it stands before the passage: each span ends its line.
func (t *text) contextText(ctx context.Context, first, last int) ([]byte, error) {
	var out []byte
	for _, x := range t.context(first, last) {
		data, err := t.quote(ctx, x.Span)
		if err != nil {
			return nil, err
		}
		out = append(out, data...)
	}
	return out, nil
}

// quote reads one span of context, and ends its line.
func (t *text) quote(ctx context.Context, s object.Span) ([]byte, error) {
	if data, ok := t.quoted[s]; ok {
		return data, nil
	}
	data, err := t.source.Pin.Text(ctx, t.doc, s.Start, s.End)
	if err != nil {
		return nil, fmt.Errorf("%s:%s: %w", t.source.Name, t.path, err)
	}
	if !bytes.HasSuffix(data, []byte("\n")) {
		data = append(bytes.Clone(data), '\n')
	}
	t.quoted[s] = data
	return data, nil
}

// measure tokenizes a range of chunks, which count then uses.
func (t *text) measure(ctx context.Context, first, last int) error {
	data, err := t.read(ctx, first, last)
	if err != nil {
		return err
	}
	t.window = &window{first, last, t.chunks[first].Span.Start, token.Measure(t.tok, data)}
	return nil
}

// around is the range of chunks that a match may be expanded to.
func (t *text) around(r *Request, chunk int) (first, last int) {
	first, last = chunk, chunk
	switch r.Expand {
	case ExpandWindow:
		first, last = max(0, chunk-r.Window), min(len(t.chunks)-1, chunk+r.Window)
	case ExpandSection:
		section := t.chunks[chunk].Section
		for first > 0 && within(section, t.chunks[first-1].Span) {
			first--
		}
		for last < len(t.chunks)-1 && within(section, t.chunks[last+1].Span) {
			last++
		}
	}
	return first, last
}

// within tells whether inner lies in outer.
func within(outer, inner object.Span) bool {
	return outer.Start <= inner.Start && inner.End <= outer.End
}

func size(s object.Span) int64 { return s.End - s.Start }
