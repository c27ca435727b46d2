package chunk

// packRun joins blocks of a run up to the budget, or to the target where there is one. A block that does not fit by
// itself is cut, and its pieces stand alone.
func (k *packer) packRun(run []atom, m mode) error {
	bs := k.blocks(run)
	for i, floor := 0, 0; i < len(bs); {
		if err := k.ctx.Err(); err != nil {
			return err
		}
		g := k.groupOf(&bs[i])
		f, ok := k.fit(&g, k.room)
		if !ok {
			if f, ok = k.lean(&bs[i], &g); ok {
				if err := k.emit(&g, f); err != nil {
					return err
				}
				i++
				continue
			}
			again, err := k.large(&bs[i])
			if err != nil {
				return err
			}
			if !again {
				i++
			}
			continue
		}
		last := k.join(bs, i, floor, &g, &f)
		if last < floor { // what was to be repeated left no room after all
			i = floor
			continue
		}
		if err := k.emit(&g, f); err != nil {
			return err
		}
		i, floor = last+1, last+1
		if m == cuts && k.policy.Overlap > 0 {
			i = k.repeat(bs, i-g.bodies, i)
		}
	}
	return nil
}

// join lets g, which holds block i, grow to the last block of its chunk, at least block floor, and returns its index.
func (k *packer) join(bs []block, i, floor int, g *group, f **frame) int {
	steps := []group{*g}
	for j := i + 1; j < len(bs); j++ {
		next := k.with(*g, &bs[j])
		nf, ok := k.fit(&next, k.aim)
		if !ok && j <= floor {
			nf, ok = k.fit(&next, k.room)
		}
		if !ok {
			break
		}
		*g, *f = next, nf
		steps = append(steps, next)
	}
	last := i + len(steps) - 1
	if last+1 == len(bs) || !k.fitsAlone(&bs[last+1]) {
		return last // the end is given: nothing to choose
	}
	last = k.anchorBlock(bs, i, max(i, floor), last)
	*g = steps[last-i]
	*f, _ = k.fit(g, k.room)
	return last
}

func (k *packer) fitsAlone(b *block) bool {
	g := k.groupOf(b)
	_, ok := k.fit(&g, k.room)
	return ok
}

// lean makes room for a heading and the body it leads to by leaving out outer elements of the breadcrumb, as few as will
// do: better than a heading that ends a chunk, or a body cut for its sake.
func (k *packer) lean(b *block, g *group) (*frame, bool) {
	if len(b.leads) == 0 || b.leads[len(b.leads)-1].lead != heads || k.isRow(b.body.unit) {
		return nil, false
	}
	if f := k.frameWithout(g, k.room/share, everything); !k.fits(f, g.span, k.room) {
		return nil, false
	}
	p := k.prefixOf(g.top)
	for n := p.unprefixed + 1; ; n++ {
		if f := k.frameWithout(g, k.room/share, n); k.fits(f, g.span, k.room) {
			return f, true
		}
	}
}

// large handles a block that does not fit. It gives out its leads, its body or both; where the rest now fits, it leaves
// it in b and returns true.
func (k *packer) large(b *block) (again bool, err error) {
	if b.body.lead == heads {
		return false, k.plain(append(append([]atom(nil), b.leads...), *b.body))
	}
	if peeled := k.tooMuch(b.leads); peeled > 0 {
		if err := k.plain(b.leads[:peeled]); err != nil {
			return false, err
		}
		b.leads = b.leads[peeled:]
		if k.fitsAlone(b) {
			return true, nil
		}
	}
	alone := block{body: b.body}
	fits := k.fitsAlone(&alone)
	if len(b.leads) > 0 && (fits && !k.worthCutting(b) || k.isRow(b.body.unit)) {
		err := k.plain(b.leads)
		b.leads = nil
		return true, err
	}
	if k.policy.Oversize == OversizeReject && !fits {
		return false, k.reject(b.body)
	}
	return false, k.cutAtom(b.leads, b.body)
}

// tooMuch is how many leads to leave behind, from the outermost, so that the others take at most half of the room: a
// chain of headings is not worth more than the body it leads to. The last one stays.
func (k *packer) tooMuch(leads []atom) int {
	n := 0
	for n < len(leads)-1 && !k.atMost(leads[n:], k.room/2) {
		n++
	}
	return n
}

func (k *packer) atMost(leads []atom, limit int) bool {
	return k.fits(&frame{counted: k.whole}, span{leads[0].text.start, leads[len(leads)-1].text.end}, limit)
}

// worthCutting tells whether a body that fits without its leads is to be cut for their sake. It is so for a heading and
// a header row, which must not end a chunk if any other way fits, unless they are the greater part of it.
func (k *packer) worthCutting(b *block) bool {
	if b.leads[len(b.leads)-1].lead != heads || k.policy.Oversize == OversizeReject || k.neverCut(b.body.unit) {
		return false
	}
	return k.atMost(b.leads, k.room/2)
}

// plain gives out leads without what they lead to. Those that fit together share a chunk, which belongs to where the
// last of them stands.
func (k *packer) plain(leads []atom) error {
	for len(leads) > 0 {
		b := block{body: &leads[0]}
		g := k.groupOf(&b)
		f, ok := k.fit(&g, k.room)
		if !ok {
			if k.policy.Oversize == OversizeReject {
				return k.reject(&leads[0])
			}
			if err := k.cutAtom(nil, &leads[0]); err != nil {
				return err
			}
			leads = leads[1:]
			continue
		}
		n := 1
		for ; n < len(leads); n++ {
			more := k.groupOf(&block{leads: leads[:n], body: &leads[n]})
			mf, ok := k.fit(&more, k.room)
			if !ok {
				break
			}
			g, f = more, mf
		}
		if err := k.emit(&g, f); err != nil {
			return err
		}
		leads = leads[n:]
	}
	return nil
}
