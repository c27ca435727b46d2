package object

import (
	"errors"
	"fmt"
)

// Page is one page of a tree. A leaf (Level 0) holds Items, an inner page the Children one level below; both are in
// strictly ascending order of their paths' bytes and never empty.
type Page struct {
	Level    int
	Items    []Item
	Children []Child
}

// Child names a page and sums up what is below it.
type Child struct {
	Last   Path // the greatest path below
	Page   ID
	Items  int
	Counts Counts
}

// Keys is the number of rows in the page.
func (p Page) Keys() int { return len(p.Items) + len(p.Children) }

// last is the greatest path below the page.
func (p Page) last() Path {
	if p.Level == 0 {
		return p.Items[len(p.Items)-1].Path
	}
	return p.Children[len(p.Children)-1].Last
}

// sum is the page's summary without its ID.
func (p Page) sum() Child {
	c := Child{Last: p.last()}
	for _, it := range p.Items {
		c.Items++
		c.Counts = c.Counts.Plus(it.Entry.Counts())
	}
	for _, ch := range p.Children {
		c.Items += ch.Items
		c.Counts = c.Counts.Plus(ch.Counts)
	}
	return c
}

// leafRow is an item as it stands in a leaf: a path is what it shares with the path before, then the rest, as bytes,
// since a path need not be UTF-8.
type leafRow struct {
	_        struct{} `cbor:",toarray"`
	Shared   int
	Rest     []byte
	Doc      ID
	State    State
	Bytes    int64
	Chunks   int
	Modified int64
	Mode     uint32
	UID      uint32
	GID      uint32
	From, To string
}

// innerPage and innerRow are an inner page as it is encoded.
type innerPage struct {
	_     struct{} `cbor:",toarray"`
	Level int
	Rows  []innerRow
}

type innerRow struct {
	_         struct{} `cbor:",toarray"`
	Shared    int
	Rest      []byte
	Page      ID
	Items     int
	Documents int
	Chunks    int
	Bytes     int64
	Stale     int
	Failed    int
}

// EncodePage writes a page. Its Sum is the page's ID.
func EncodePage(p Page) ([]byte, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if p.Level == 0 {
		return encode(KindLeaf, leafRows(p.Items))
	}
	return encode(KindInner, innerPage{Level: p.Level, Rows: innerRows(p.Children)})
}

func leafRows(items []Item) []leafRow {
	rows, prev := make([]leafRow, len(items)), Path("")
	for i, it := range items {
		n, e := shared(prev, it.Path), it.Entry
		rows[i] = leafRow{
			Shared: n, Rest: []byte(it.Path[n:]), Doc: e.Doc, State: e.State, Bytes: e.Bytes, Chunks: e.Chunks,
			Modified: e.Modified, Mode: e.Access.Mode, UID: e.Access.UID, GID: e.Access.GID,
			From: e.EffectiveFrom, To: e.EffectiveTo,
		}
		prev = it.Path
	}
	return rows
}

func innerRows(children []Child) []innerRow {
	rows, prev := make([]innerRow, len(children)), Path("")
	for i, c := range children {
		n, k := shared(prev, c.Last), c.Counts
		rows[i] = innerRow{
			Shared: n, Rest: []byte(c.Last[n:]), Page: c.Page, Items: c.Items, Documents: k.Documents,
			Chunks: k.Chunks, Bytes: k.Bytes, Stale: k.Stale, Failed: k.Failed,
		}
		prev = c.Last
	}
	return rows
}

// DecodePage reads what EncodePage writes and refuses everything else.
func DecodePage(data []byte) (Page, error) {
	var p Page
	var err error
	if len(data) > 0 && Kind(data[0]) == KindInner {
		p, err = decodeInner(data)
	} else {
		p, err = decodeLeaf(data)
	}
	if err != nil {
		return Page{}, err
	}
	if err := p.check(); err != nil {
		return Page{}, err
	}
	return p, nil
}

func decodeLeaf(data []byte) (Page, error) {
	rows, err := decode[[]leafRow](KindLeaf, data)
	if err != nil {
		return Page{}, err
	}
	p, prev := Page{Items: make([]Item, len(rows))}, Path("")
	for i, r := range rows {
		path, err := join(prev, r.Shared, r.Rest)
		if err != nil {
			return Page{}, err
		}
		p.Items[i] = Item{Path: path, Entry: Entry{
			Doc: r.Doc, State: r.State, Bytes: r.Bytes, Chunks: r.Chunks, Modified: r.Modified,
			Access:        Access{Mode: r.Mode, UID: r.UID, GID: r.GID},
			EffectiveFrom: r.From, EffectiveTo: r.To,
		}}
		prev = path
	}
	return p, nil
}

func decodeInner(data []byte) (Page, error) {
	in, err := decode[innerPage](KindInner, data)
	if err != nil {
		return Page{}, err
	}
	if in.Level < 1 {
		return Page{}, fmt.Errorf("inner page of level %d", in.Level)
	}
	p, prev := Page{Level: in.Level, Children: make([]Child, len(in.Rows))}, Path("")
	for i, r := range in.Rows {
		path, err := join(prev, r.Shared, r.Rest)
		if err != nil {
			return Page{}, err
		}
		p.Children[i] = Child{Last: path, Page: r.Page, Items: r.Items, Counts: Counts{
			Documents: r.Documents, Chunks: r.Chunks, Bytes: r.Bytes, Stale: r.Stale, Failed: r.Failed,
		}}
		prev = path
	}
	return p, nil
}

// check holds a page to what Page promises.
func (p Page) check() error {
	if p.Level < 0 || p.Keys() == 0 || (p.Level == 0) != (len(p.Children) == 0) || (p.Level > 0) != (len(p.Items) == 0) {
		return fmt.Errorf("page of level %d with %d items and %d children", p.Level, len(p.Items), len(p.Children))
	}
	prev := Path("")
	for i := range p.Keys() {
		key := p.key(i)
		if key <= prev { // the empty path is no document's
			return errors.New("page out of order")
		}
		prev = key
	}
	return nil
}

func (p Page) key(i int) Path {
	if p.Level == 0 {
		return p.Items[i].Path
	}
	return p.Children[i].Last
}

// shared is the length of the longest common prefix in bytes.
func shared(a, b Path) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// join undoes front compression. The share must be the longest, else two encodings would mean one page.
func join(prev Path, n int, rest []byte) (Path, error) {
	if n < 0 || n > len(prev) {
		return "", fmt.Errorf("path shares %d bytes of %d", n, len(prev))
	}
	path := prev[:n] + Path(rest)
	if shared(prev, path) != n {
		return "", errors.New("path not compressed as far as it could be")
	}
	return path, nil
}
