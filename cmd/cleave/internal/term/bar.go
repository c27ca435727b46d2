package term

import (
	"io"

	"github.com/schollz/progressbar/v3"
)

// Bar is a progress bar on a terminal, and silent elsewhere.
type Bar struct {
	w   io.Writer
	bar *progressbar.ProgressBar
}

// NewBar gives a bar on w.
func NewBar(w io.Writer) *Bar {
	if !Terminal(w) {
		return &Bar{}
	}
	return &Bar{w: w}
}

// Set shows that done of total are done; what names the work. A total of 0 is not known yet.
func (b *Bar) Set(what string, done, total int) {
	if b.w == nil {
		return
	}
	if total == 0 {
		total = -1 // the bar's own word for it
	}
	if b.bar == nil {
		b.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(b.w), progressbar.OptionSetWidth(30),
			progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
	}
	b.bar.Describe(Clean(what))
	b.bar.ChangeMax(total)
	_ = b.bar.Set(done) // a bar that cannot be drawn is not worth a failure
}

// Done takes the bar away.
func (b *Bar) Done() {
	if b.bar != nil {
		_ = b.bar.Clear() // as in Set
	}
}
