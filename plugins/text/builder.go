package main

import "github.com/cleave-project/cleave/sdk"

// maxUnits bounds memory: a unit takes about 150 bytes, and a file of two bytes a paragraph must not take a hundred
// times its size. What comes after so many units is one unit, which the core cuts by itself.
const maxUnits = 1 << 20

// maxLead is the longest lead-in, in bytes, that is repeated with pieces of the list it announces.
const maxLead = 200

// builder collects units in pre-order.
type builder struct {
	// ended tells why to stop: it is the context's Err.
	ended func() error
	src   []byte
	units []sdk.Unit
	// label is where the clause begins whose text is being read.
	label int
}

// add adds a unit and gives its index, -1 where the text between start and end is white space.
func (b *builder) add(k sdk.Kind, c sdk.Cut, depth, start, end int) int {
	if end = trimEnd(b.src, start, end); end <= start {
		return -1
	}
	b.units = append(b.units, sdk.Unit{Depth: depth, Kind: k, Cut: c, Span: sdk.Span{Start: start, End: end}})
	return len(b.units) - 1
}

// stopped tells that no more units are wanted.
func (b *builder) stopped() bool { return len(b.units) >= maxUnits || b.ended() != nil }

// prose adds the paragraphs and lists of a region.
func (b *builder) prose(region sdk.Span, depth int) {
	for at := region.Start; at < region.End; {
		if b.stopped() {
			b.add(sdk.KindText, sdk.CutSentences, depth, at, region.End)
			return
		}
		l := lineAt(b.src, at)
		if l.blank(b.src) {
			at = l.next
			continue
		}
		at = b.block(l, region.End, depth)
	}
}

// block adds what begins with the line l, which is not blank, and gives its end: a list, or a paragraph with the list
// in it.
func (b *builder) block(l line, end, depth int) int {
	first, blockEnd := findItem(b.src, l, end, b.label)
	if first < 0 && isUnderlined(b.src, l, blockEnd) {
		at := b.add(sdk.KindHeading, sdk.CutSentences, depth, l.start, blockEnd)
		b.units[at].Clings = true
		return blockEnd
	}
	if first < 0 {
		b.add(sdk.KindParagraph, sdk.CutSentences, depth, l.start, blockEnd)
		return blockEnd
	}
	li := readList(b.src, first, end)
	if !li.convincing(b.src, l.start) {
		b.add(sdk.KindParagraph, sdk.CutSentences, depth, l.start, blockEnd)
		return blockEnd
	}
	b.add(sdk.KindParagraph, sdk.CutSentences, depth, l.start, first)
	b.list(li, depth)
	return li.end
}

// list adds a list. What announces it keeps to it.
func (b *builder) list(li list, depth int) {
	var lead []sdk.Context
	if n := len(b.units) - 1; n >= 0 && b.units[n].Kind == sdk.KindParagraph && b.units[n].Depth == depth {
		if s := b.units[n].Span; announces(b.src[s.Start:s.End]) {
			b.units[n].Clings = true
			if s.Len() <= maxLead {
				lead = []sdk.Context{{Span: s, Role: sdk.RoleLead}}
			}
		}
	}
	at := b.add(sdk.KindList, sdk.CutChildren, depth, li.items[0].start, li.end)
	b.units[at].Context = lead
	if li.marker.ordered() {
		b.units[at].Attrs = map[sdk.AttrKey]string{sdk.AttrOrdered: "true"}
	}
	for i, it := range li.items {
		end := li.end
		if i+1 < len(li.items) {
			end = li.items[i+1].start
		}
		cut := sdk.CutSentences
		if it.nested {
			cut = sdk.CutLines
		}
		b.add(sdk.KindItem, cut, depth+1, it.start, end)
	}
}
