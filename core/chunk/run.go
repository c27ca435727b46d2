package chunk

// mode tells what a sequence of atoms is: neighbours, or the pieces of a unit that was cut.
type mode uint8

const (
	joins mode = iota // neighbours do not overlap
	cuts              // pieces do (A4)
)

// pack packs a sequence of atoms, run by run.
func (k *packer) pack(atoms []atom, m mode) error {
	for len(atoms) > 0 {
		n := k.run(atoms)
		if err := k.packRun(atoms[:n], m); err != nil {
			return err
		}
		atoms = atoms[n:]
	}
	return nil
}

// run is how many atoms from the first on may share a chunk: headings, and what follows them in one section or
// definition. A heading starts a run. One without a body goes with the section after it, and so on in a chain; what
// comes after a border does not.
func (k *packer) run(atoms []atom) int {
	body := k.bodyOf(atoms, 0)
	n, key := body+1, of(k.tree.key, atoms[body].unit)
	for n < len(atoms) && !atoms[n].wall && atoms[n].lead != heads {
		body = k.bodyOf(atoms, n)
		if of(k.tree.key, atoms[body].unit) != key {
			break
		}
		n = body + 1
	}
	return n
}

// bodyOf is the index of what the leads from n on lead to; the last of them where they lead to nothing.
func (k *packer) bodyOf(atoms []atom, n int) int {
	for n+1 < len(atoms) && k.leadsTo(&atoms[n], &atoms[n+1]) {
		n++
	}
	return n
}

// leadsTo tells whether a stays with the next atom: a heading with whatever follows it, a unit that clings with text of
// its own section, into definitions and tables there.
func (k *packer) leadsTo(a, next *atom) bool {
	if a.lead == stands || next.wall {
		return false
	}
	if a.lead == heads {
		return true
	}
	own, key := of(k.tree.key, a.unit), of(k.tree.key, next.unit)
	for key != own && key >= 0 && !k.tree.isSection(key) {
		key = of(k.tree.key, k.tree.units[key].Parent)
	}
	return key == own && (next.lead != heads || k.headsTable(next.unit))
}

// block is what a run is made of: leads and the body they belong to. The last atom of a run is a body, whatever it is.
type block struct {
	leads []atom
	body  *atom
}

func (b *block) start() int {
	if len(b.leads) > 0 {
		return b.leads[0].text.start
	}
	return b.body.text.start
}

func (k *packer) blocks(run []atom) []block {
	var out []block
	for len(run) > 0 {
		n := k.bodyOf(run, 0)
		out = append(out, block{leads: run[:n], body: &run[n]})
		run = run[n+1:]
	}
	return out
}
