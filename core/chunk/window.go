package chunk

import (
	"slices"

	"github.com/cleave-project/cleave/sdk"
)

// window moves over a text that does not fit and cuts it into pieces: each as long as the budget allows, ending at the
// coarsest level that has a place to cut.
type window struct {
	k         *packer
	area      span // the text to cut, without leads
	base      group
	ways      ways
	sentences []int // where sentences of the area end; nil: not looked for yet
	opening   opening
}

// opening is a first piece that was looked for: whether there is one is asked before it is cut.
type opening struct {
	known bool
	start int
	piece piece
	ok    bool
}

// piece is one chunk of a window.
type piece struct {
	group group
	frame *frame
	cut   int // where the next piece may begin; the area's end for the last one
	level level
}

// cutText cuts the text of a. The first piece begins with the leads if that is well.
func (k *packer) cutText(leads []atom, a *atom, how ways) error {
	return k.windowOf(a, how).run(leads)
}

// windowOf is the window over a, whose unit decides how it is cut; the last one is kept, for it knows what it found.
func (k *packer) windowOf(a *atom, how ways) *window {
	if w := k.window; w == nil || w.area != a.text || w.base.first != a.unit {
		k.window = &window{k: k, area: a.text, base: k.single(a.text, a.unit), ways: how}
	}
	return k.window
}

func (w *window) run(leads []atom) error {
	pos, least := w.area.start, w.area.start
	if len(leads) > 0 {
		var err error
		if p, ok := w.first(leads[0].text.start); ok {
			pos, least, err = w.put(p)
		} else {
			err = w.k.plain(leads)
		}
		if err != nil {
			return err
		}
	}
	for pos < w.area.end {
		if err := w.k.ctx.Err(); err != nil {
			return err
		}
		p, ok := w.next(pos, least, w.ways.levels)
		if !ok && pos < least { // the overlap left no room after all
			pos = least
			continue
		}
		if !ok {
			return w.k.noRoom(&w.base)
		}
		var err error
		if pos, least, err = w.put(p); err != nil {
			return err
		}
	}
	return nil
}

// first is the piece that begins at start, in front of the text, with what leads to it. There is none where that would
// cut a sentence, a line of code or a word that fits without: the ways of a text say which of them is its whole.
func (w *window) first(start int) (piece, bool) {
	if o := &w.opening; !o.known || o.start != start {
		*o = opening{known: true, start: start}
		o.piece, o.ok = w.open(start)
	}
	return w.opening.piece, w.opening.ok
}

func (w *window) open(start int) (piece, bool) {
	levels := w.ways.levels
	for n := slices.Index(levels, w.ways.repeat) + 1; n <= len(levels) && levels[n-1].coarse(); n++ {
		if p, ok := w.next(start, w.area.start, levels[:n]); ok {
			return p, true
		}
		if _, alone := w.next(w.area.start, w.area.start, levels[:n]); alone {
			return piece{}, false
		}
	}
	p, ok := w.next(start, w.area.start, levels)
	if !ok || p.level < byGrapheme {
		return p, ok
	}
	alone, _ := w.next(w.area.start, w.area.start, levels)
	return p, alone.level >= byGrapheme && p.level < byCharacter
}

// put gives out a piece and returns where the next one begins, and behind which place it must end.
func (w *window) put(p piece) (pos, least int, err error) {
	if err := w.k.emit(&p.group, p.frame); err != nil {
		return 0, 0, err
	}
	if p.cut >= w.area.end {
		return w.area.end, w.area.end, nil
	}
	w.tear(p.cut)
	next := trim(w.k.text, span{p.cut, w.area.end}).start
	return w.repeat(p, next), next, nil
}

// next is the piece that begins at pos and ends behind least. Where it would cut a grapheme cluster, or nothing fits at
// all, prefix and context are left out but for headers, and then the first line's indentation.
func (w *window) next(pos, least int, levels []level) (piece, bool) {
	framed := func(g *group) *frame { return w.k.frame(g, w.k.room/share) }
	p, ok := w.within(pos, least, levels, framed)
	if ok && p.level < byCharacter {
		return p, true
	}
	bare, fits := w.within(pos, least, levels, w.k.bare)
	if fits && bare.level < byCharacter {
		return bare, true
	}
	if !ok {
		p, ok = bare, fits
	}
	if ink := whole(w.k.text, w.firstInk(pos), -1); pos < ink && ink < w.area.end {
		if plain, fits := w.next(ink, least, levels); fits && (!ok || plain.level < byCharacter) {
			return plain, true
		}
	}
	return p, ok
}

// within is the piece with that kind of frame. A cut before the last place that fits can have more tokens than a cut
// there, so room is taken away until all is well.
func (w *window) within(pos, least int, levels []level, with func(*group) *frame) (piece, bool) {
	for room := w.k.room; room > 0; {
		p, ok := w.try(pos, least, room, levels, with)
		if !ok {
			break
		}
		over := p.frame.counted.Count(p.group.start, p.group.end) - w.k.room
		if over <= 0 {
			return p, true
		}
		room -= over
	}
	return piece{}, false
}

// try cuts a piece of at most room tokens. Which contexts it repeats depends on where it ends, since those it holds are
// not repeated: first it is cut as if it held all that lie ahead, and if it does not, as if it held none. Its final
// frame may be smaller than the one it was cut for, but has nothing more.
func (w *window) try(pos, least, room int, levels []level, with func(*group) *frame) (piece, bool) {
	p := piece{group: w.base}
	p.group.span = span{pos, w.area.end}
	f := with(&p.group)
	if !w.cut(&p, f, pos, least, room, levels) {
		return p, false
	}
	if p.frame = with(&p.group); p.frame == f {
		return p, true
	}
	p.group.span = span{pos, pos}
	if !w.cut(&p, with(&p.group), pos, least, room, levels) {
		return p, false
	}
	p.frame = with(&p.group)
	return p, true
}

// cut finds where a piece behind frame f ends.
func (w *window) cut(p *piece, f *frame, pos, least, room int, levels []level) bool {
	limit := f.counted.Fit(pos, room)
	if limit >= w.area.end {
		if f.counted.Count(pos, w.area.end) <= room {
			p.group.span, p.cut, p.level = span{pos, w.area.end}, w.area.end, byParagraph
			return true
		}
		limit = runeFloor(w.k.text, w.area.end-1)
	}
	limit = w.pastBlanks(limit)
	least = w.firstInk(max(least, pos)) // a piece that ends before holds nothing new
	for _, l := range levels {
		if at := w.pick(l, pos, least, limit); at > 0 {
			return p.endAt(w, pos, at, l)
		}
	}
	if limit <= least || slices.IndexFunc(levels, func(l level) bool { return !l.coarse() }) < 0 {
		return false
	}
	return p.endAt(w, pos, limit, byCharacter)
}

func (p *piece) endAt(w *window, pos, at int, l level) bool {
	end := at
	for isBlank(w.k.text[end-1]) { // there is something else behind pos
		end--
	}
	p.group.span, p.cut, p.level = span{pos, end}, at, l
	return true
}

// pastBlanks moves a limit over the white space behind it: places to cut are behind white space, which a piece then
// leaves out. So a sentence that fills the budget exactly is not pushed out by the blank after it.
func (w *window) pastBlanks(limit int) int {
	for most := min(w.area.end, limit+lookahead); limit < most && isBlank(w.k.text[limit]); {
		limit++
	}
	return limit
}

// firstInk is the first byte from pos on that is not white space.
func (w *window) firstInk(pos int) int {
	for pos < w.area.end && isBlank(w.k.text[pos]) {
		pos++
	}
	return pos
}

// pick is the place of a level to cut at, behind least and not behind limit; 0: there is none.
func (w *window) pick(l level, pos, least, limit int) int {
	places := w.cutsAt(w.k.scratch.cuts[:0], l, pos, limit)
	w.k.scratch.cuts = places
	i, found := slices.BinarySearch(places, least)
	if found {
		i++
	}
	places = places[i:]
	for len(places) > 0 {
		i := len(places) - 1
		if !w.ways.late {
			i = w.k.anchorCut(places, pos, limit)
		}
		if at := places[i]; whole(w.k.text, at, -1) == at {
			return at
		}
		places = slices.Delete(places, i, i+1)
	}
	return 0
}

// noRoom is the error for a document in which nothing fits beside headers.
func (k *packer) noRoom(g *group) error {
	f := k.bare(g)
	first, _ := k.linesOf(g.span)
	return sdk.Errorf(sdk.CodeHeaderExceedsBudget, "the header that line %d must repeat has %d tokens, the budget is %d: raise max_tokens",
		first, f.tokens, k.policy.MaxTokens)
}
