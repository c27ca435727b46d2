package main

import "github.com/yuin/goldmark/text"

// checkEvery is how many lines pass between two looks at the context: often enough for any deadline, rare enough to
// cost nothing.
const checkEvery = 4096

// reader gives the parser the lines of a text, but of a run of blank lines the first and the last alone: goldmark spends
// time and memory on each for every open container, and none of the blocks cares how many there are. It ends the text
// early once its context has ended, since goldmark knows no cancellation.
type reader struct {
	text.Reader
	ended func() error
	lines int
	blank bool
}

// newReader reads r until ended, a context's Err, gives an error.
func newReader(r text.Reader, ended func() error) *reader {
	return &reader{Reader: r, ended: ended}
}

// AdvanceLine implements text.Reader.
func (r *reader) AdvanceLine() {
	src := r.Source()
	for {
		r.step()
		_, pos := r.Position()
		after := r.blank
		r.blank = pos.Start < len(src) && blankLine(src, pos.Start)
		if !after || !r.blank || pos.Stop >= len(src) || !blankLine(src, pos.Stop) {
			return
		}
	}
}

// step moves to the next line, or behind the text where the context has ended.
func (r *reader) step() {
	r.Reader.AdvanceLine()
	r.lines++
	if r.lines%checkEvery == 0 && r.ended() != nil {
		n, _ := r.Position()
		r.SetPosition(n, text.NewSegment(len(r.Source()), len(r.Source())))
	}
}

// blankLine tells whether the line that begins at offset at holds blanks and tabs alone (CommonMark section 2.1).
func blankLine(src []byte, at int) bool {
	for at < len(src) && (src[at] == ' ' || src[at] == '\t') {
		at++
	}
	return at == len(src) || src[at] == '\n'
}
