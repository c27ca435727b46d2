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
			again, err := k.large(&bs[i], m)
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
