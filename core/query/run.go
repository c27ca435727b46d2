package query

import (
	"context"
	"fmt"

	"github.com/cleave-project/cleave/core/object"
)

// Run answers a request from the sources, which are those that the caller may ask and the request names. It fails as a
// whole or answers for all of them. ErrRequest: the request is at fault.
func Run(ctx context.Context, r Request, sources []Source) (Answer, error) {
	if err := r.check(); err != nil {
		return Answer{}, err
	}
	a := Answer{Generations: make(map[object.Source]uint64, len(sources))}
	for i := range sources {
		if err := sources[i].check(); err != nil {
			return Answer{}, fmt.Errorf("query: %w", err)
		}
		a.Generations[sources[i].Name] = sources[i].Pin.Generation().Number
	}
	matches, err := find(ctx, &r, sources)
	if err != nil {
		return Answer{}, fmt.Errorf("query: %w", err)
	}
	p := &packing{request: &r, opened: make(map[document]*text)}
	if err := p.pack(ctx, diversify(matches)); err != nil {
		return Answer{}, fmt.Errorf("query: %w", err)
	}
	if a.Hits, err = p.hits(ctx); err != nil {
		return Answer{}, fmt.Errorf("query: %w", err)
	}
	a.Tokens, a.Degraded = p.used, p.notes
	return a, nil
}
