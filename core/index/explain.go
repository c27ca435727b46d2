package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	api "github.com/blevesearch/bleve_index_api"
)

// explain says for each candidate which term in which field added how much to its score, the largest first.
func (s *scorer) explain(ctx context.Context, groups []group, found []*candidate) error {
	for _, c := range found {
		why, err := s.why(ctx, groups, c.number)
		if err != nil {
			return err
		}
		c.Why = why
	}
	return nil
}

// contribution is what one term of the query added.
type contribution struct {
	name string
	x    float64
}

func (s *scorer) why(ctx context.Context, groups []group, number uint64) (string, error) {
	var all []contribution
	for i := range groups {
		x, err := s.contribution(ctx, &groups[i], number)
		if err != nil {
			return "", err
		}
		if x > 0 {
			all = append(all, contribution{fieldName(groups[i].field) + ":" + groups[i].text, x})
		}
	}
	slices.SortStableFunc(all, func(a, b contribution) int { return cmp.Compare(b.x, a.x) })
	var line strings.Builder
	for i, c := range all {
		if i > 0 {
			line.WriteString(" + ")
		}
		fmt.Fprintf(&line, "%s %.2f", c.name, c.x)
	}
	return line.String(), nil
}

func (s *scorer) contribution(ctx context.Context, g *group, number uint64) (float64, error) {
	sum := 0.0
	for _, term := range g.terms {
		postings, err := s.postings(ctx, g.field, term)
		if err != nil {
			return 0, err
		}
		p, err := postings.Advance(api.NewIndexInternalID(nil, number), nil)
		if err == nil && p != nil && p.ID.Value() == number {
			sum += weigh(g, s.statistics.lengths.average(g.field), p)
		}
		if closed := postings.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return 0, err
		}
	}
	return sum, nil
}

func fieldName(field string) string {
	switch field {
	case crumbField:
		return "heading"
	case pathField:
		return "path"
	}
	return "text"
}
