package index

import (
	"cmp"
	"container/heap"
	"context"
	"math"
	"slices"

	api "github.com/blevesearch/bleve_index_api"
)

// k1 and b of BM25, as Robertson and Zaragoza (The Probabilistic Relevance Framework, 2009) and most engines set them.
const (
	k1 = 1.2
	b  = 0.75
)

// scorer adds up BM25 term by term, for one search.
type scorer struct {
	reader     api.IndexReader
	view       *View
	alone      bool // the reader has no rows but the view's
	statistics *Statistics
	scores     scores
}

// newScorer scores the rows of a view, all of which the reader has, and whose lengths are given. It weighs by the given
// statistics, or else by the view's own.
func newScorer(reader api.IndexReader, v *View, l lengths, given *Statistics) (*scorer, error) {
	n, err := reader.DocCount()
	if err != nil {
		return nil, err
	}
	if given == nil {
		given = &Statistics{lengths: l, counts: make(map[fieldTerm]uint64)}
	}
	return &scorer{reader: reader, view: v, alone: n == uint64(v.rows), statistics: given}, nil
}

// idf is Robertson and Spärck Jones' weight, kept positive.
func (s *scorer) idf(rows uint64) float64 {
	all := float64(s.statistics.lengths.rows)
	n := min(float64(rows), all)
	return math.Log(1 + (all-n+0.5)/(n+0.5))
}

// weigh is what one posting adds. The engine stores 1/sqrt(length) of the field.
func weigh(g *group, average float64, p *api.TermFieldDoc) float64 {
	tf := float64(p.Freq)
	length := 1 / (p.Norm * p.Norm)
	return weightOf(g.field) * g.idf * tf * (k1 + 1) / (tf + k1*(1-b+b*length/average))
}

func (s *scorer) addAll(ctx context.Context, groups []group) error {
	for i := range groups {
		for _, term := range groups[i].terms {
			if err := s.add(ctx, &groups[i], term); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkEvery is how many postings are read between two looks at the context: well under a millisecond.
const checkEvery = 4096

func (s *scorer) add(ctx context.Context, g *group, term string) error {
	postings, err := s.postings(ctx, g.field, term)
	if err != nil {
		return err
	}
	defer postings.Close()
	average := s.statistics.lengths.average(g.field)
	var p api.TermFieldDoc
	for i := 0; ; i++ {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		next, err := postings.Next(p.Reset())
		if err != nil {
			return err
		}
		if next == nil {
			return nil
		}
		s.scores.add(next.ID.Value(), float32(weigh(g, average, next)))
	}
}

// scores holds a sum for each row that matches, by the engine's number, in pages that are made when they are needed: a
// rare word costs a page or two, a common one four bytes a row.
type scores struct {
	pages []*[scorePage]float32
}

const scorePage = 4096

func (s *scores) add(number uint64, x float32) {
	page := int(number / scorePage)
	if page >= len(s.pages) {
		s.pages = append(s.pages, make([]*[scorePage]float32, page+1-len(s.pages))...)
	}
	if s.pages[page] == nil {
		s.pages[page] = new([scorePage]float32)
	}
	s.pages[page][number%scorePage] += x
}

// candidate is a match in the making.
type candidate struct {
	Match
	number uint64
}

// worse orders candidates from worst to best.
func worse(a, b *candidate) int {
	return cmp.Or(cmp.Compare(a.Score, b.Score), cmp.Compare(b.Path, a.Path), cmp.Compare(b.Chunk, a.Chunk))
}

// worstFirst is a heap of the best candidates so far.
type worstFirst []*candidate

func (h worstFirst) Len() int           { return len(h) }
func (h worstFirst) Less(i, j int) bool { return worse(h[i], h[j]) < 0 }
func (h worstFirst) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *worstFirst) Push(c any)        { *h = append(*h, c.(*candidate)) }
func (h *worstFirst) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// best picks the k best rows that are admitted, best first. A row is asked about when its score would put it among the
// best of the admitted, which is the same answer as asking about all of them, for less.
func (s *scorer) best(ctx context.Context, a *admission, k int) ([]*candidate, error) {
	var found worstFirst
	for page, sums := range s.scores.pages {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if sums == nil {
			continue
		}
		for i, score := range sums {
			if score == 0 || len(found) == k && float64(score) < found[0].Score {
				continue
			}
			c, err := s.candidate(a, uint64(page*scorePage+i), score)
			if err != nil {
				return nil, err
			}
			if c != nil {
				found.offer(c, k)
			}
		}
	}
	slices.SortFunc(found, func(a, b *candidate) int { return worse(b, a) })
	return found, nil
}

func (h *worstFirst) offer(c *candidate, k int) {
	switch {
	case len(*h) < k:
		heap.Push(h, c)
	case worse((*h)[0], c) < 0:
		(*h)[0] = c
		heap.Fix(h, 0)
	}
}

// candidate asks for the row's key and looks it up. It returns nil for a row that does not count.
func (s *scorer) candidate(a *admission, number uint64, score float32) (*candidate, error) {
	key, err := s.reader.ExternalID(api.NewIndexInternalID(nil, number))
	if err != nil {
		return nil, err
	}
	d, chunk, ok := a.chunk(key)
	if !ok {
		return nil, nil
	}
	return &candidate{
		Match:  Match{Path: d.Path, Doc: d.Entry.Doc, Chunk: chunk, Score: float64(score)},
		number: number,
	}, nil
}

func finished(found []*candidate) []Match {
	matches := make([]Match, len(found))
	for i, c := range found {
		matches[i] = c.Match
	}
	return matches
}
