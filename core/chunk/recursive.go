package chunk

// recursive packs the text without its units: paragraph > line > sentence > word > grapheme, and a hard bound (A3).
// Skipped spans are borders. Pieces overlap by whole sentences.
func (k *packer) recursive() error {
	k.tree = newTree(nil)
	for _, s := range k.areas() {
		a := k.atom(none, s, false)
		if err := k.cutText(nil, &a, looseText); err != nil {
			return err
		}
	}
	return nil
}

// areas is the text without skipped spans.
func (k *packer) areas() []span { return append([]span(nil), k.clear(span{0, len(k.text)})...) }
