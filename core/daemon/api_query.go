package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/index"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/query"
	"github.com/cleave-project/cleave/core/store"
)

// Query answers a question from what is served. Each source's generation is leased from the match to the last passage
// (I9).
func (d *daemon) Query(ctx context.Context, c control.Caller, r control.QueryRequest) (control.QueryAnswer, error) {
	began := time.Now()
	req, err := queryRequest(r)
	if err != nil {
		return control.QueryAnswer{}, err
	}
	chosen, err := d.choose(r.Sources)
	if err != nil {
		return control.QueryAnswer{}, err
	}
	if r.Generation != 0 && len(chosen) != 1 {
		return control.QueryAnswer{}, control.Usage("a generation is one source's: name it with --source")
	}
	leases, degraded, err := lease(ctx, chosen, r.Generation)
	defer func() {
		for _, v := range leases {
			v.release()
		}
	}()
	if err != nil {
		return control.QueryAnswer{}, err
	}
	found, unsearched, err := d.ask(ctx, req, leases)
	if errors.Is(err, query.ErrRequest) {
		return control.QueryAnswer{}, control.Usage("%v", err)
	}
	if err != nil {
		return control.QueryAnswer{}, err
	}
	a, err := d.queryAnswer(ctx, found, leases)
	a.Degraded = slices.Concat(degraded, unsearched, a.Degraded)
	a.TookMS = time.Since(began).Milliseconds()
	return a, err
}

func admitAll(object.Path, object.Entry) bool { return true }

// lease acquires what is to be asked. A source that serves nothing yet is left out of the answer, which says so.
func lease(ctx context.Context, chosen []*source, number uint64) (leases []*served, degraded []string, err error) {
	for _, s := range chosen {
		v, err := s.acquire(ctx, number)
		switch {
		case errors.Is(err, errNothingServed):
			degraded = append(degraded, fmt.Sprintf("source %s: %s", s.name, cmp.Or(s.now.trouble(), err.Error())))
		case errors.Is(err, store.ErrNoGeneration):
			return leases, degraded, control.NotFound("source %s has no generation %d (cleave generations %s)", s.name, number, s.name)
		case err != nil:
			return leases, degraded, err
		default:
			leases = append(leases, v)
			if why := s.now.trouble(); why != "" {
				degraded = append(degraded, fmt.Sprintf("source %s: %s", s.name, why))
			}
		}
	}
	return leases, degraded, nil
}

// queryRequest reads what the command line sent.
func queryRequest(r control.QueryRequest) (query.Request, error) {
	out := query.Request{
		Text: r.Words, K: r.K, Path: r.Path, Kind: r.Kind, Lang: r.Lang, Author: r.Author,
		Expand: query.Expand(r.Expand), Budget: r.Budget, Explain: r.Explain,
	}
	for _, date := range []struct {
		name, value string
		to          *time.Time
	}{{"after", r.After, &out.After}, {"before", r.Before, &out.Before}, {"as-of", r.AsOf, &out.AsOf}} {
		if date.value == "" {
			continue
		}
		t, ok := index.ParseDate(date.value)
		if !ok {
			return out, control.Usage("--%s %q is not a date (YYYY-MM-DD)", date.name, date.value)
		}
		*date.to = t
	}
	if r.Window != nil {
		out.Window = *r.Window
	}
	return out, nil
}

func (d *daemon) queryAnswer(ctx context.Context, found query.Answer, leases []*served) (control.QueryAnswer, error) {
	a := control.QueryAnswer{Generations: map[string]uint64{}, Tokens: found.Tokens, Degraded: found.Degraded}
	for source, number := range found.Generations {
		a.Generations[string(source)] = number
	}
	for i := range found.Hits {
		of := slices.IndexFunc(leases, func(v *served) bool { return v.s.name == found.Hits[i].Source })
		h, err := leases[of].hit(ctx, &found.Hits[i])
		if err != nil {
			return a, err
		}
		a.Hits = append(a.Hits, h)
	}
	return a, nil
}

// hit gives a hit the words of the contract, reading from the generation it was found in.
func (v *served) hit(ctx context.Context, h *query.Hit) (control.Hit, error) {
	doc, err := v.s.document(ctx, v.pin, object.Item{Path: h.Path, Entry: h.Entry})
	if err != nil {
		return control.Hit{}, err
	}
	c, err := doc.Chunk(h.Chunks[h.Chunk], placeOf(h.Chunks, h.Chunk))
	if err != nil {
		return control.Hit{}, err
	}
	score := h.Score
	p := h.Passage
	out := control.Hit{Chunk: c, Score: &score, Ranks: control.Ranks{BM25: h.Rank}, Explain: h.Why, Passage: control.Passage{
		Start: p.Span.Start, End: p.Span.End, StartLine: p.StartLine, EndLine: p.EndLine, Text: string(p.Text), Tokens: p.Tokens,
	}}
	for _, q := range p.Context {
		out.Passage.Context = append(out.Passage.Context, control.Context{
			Start: q.Span.Start, End: q.Span.End, Role: q.Role, Text: strings.TrimSuffix(string(q.Text), "\n"),
		})
	}
	for i := p.First; i <= p.Last; i++ {
		out.Passage.Merged = append(out.Passage.Merged, doc.ChunkID(h.Chunks[i]))
	}
	return out, nil
}
