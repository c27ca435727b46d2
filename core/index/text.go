package index

import (
	"context"

	"github.com/cleave-project/cleave/core/object"
)

// textWindow is how much of a document's text is read at once: four of the store's blocks, each of which is read and
// verified whole, so that neighbouring chunks do not read a block again and again.
const textWindow = 256 << 10

// textReader reads spans of one document in order.
type textReader struct {
	tree  Tree
	doc   *object.Document
	start int64
	data  []byte
}

// span returns the bytes of a span. They stay valid: a window is never written again.
func (r *textReader) span(ctx context.Context, s object.Span) ([]byte, error) {
	if s.Start < r.start || s.End > r.start+int64(len(r.data)) {
		end := min(max(s.End, s.Start+textWindow), r.doc.TextLen)
		data, err := r.tree.Text(ctx, *r.doc, s.Start, max(end, s.End))
		if err != nil {
			return nil, err
		}
		r.start, r.data = s.Start, data
	}
	return r.data[s.Start-r.start : s.End-r.start : s.End-r.start], nil
}
