package text

import (
	"iter"

	"github.com/clipperhouse/uax29/v2/words"

	"github.com/cleave-project/cleave/sdk"
)

// Words gives the segments between the word boundaries of UAX #29, section 4: words, and the spaces and punctuation
// between them.
func Words(text []byte) iter.Seq[sdk.Span] {
	return func(yield func(sdk.Span) bool) {
		for it := words.FromBytes(text); it.Next(); {
			if !yield(sdk.Span{Start: it.Start(), End: it.End()}) {
				return
			}
		}
	}
}
