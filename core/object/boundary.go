package object

import (
	"crypto/sha256"
	"encoding/binary"
)

// A page ends after a row whose key's hash says so, once it has minRows; at the latest after maxRows or maxKeyBytes of
// keys. All depend on the keys of the page alone, so two trees of equal keys have equal pages, and after a change the
// old boundaries return at the next row whose hash says so.
//
// The mean is about minRows + 1<<boundaryBits rows, some 4 KiB of 90-byte rows: with 100,000 entries a change of one
// rewrites four pages of about 15 KiB together, and a walk reads about 2,100 pages. minRows keeps pages from being
// crumbs, and more than one row on a page is what makes each level smaller than the one below. maxRows is far out in the tail
// (1 page in 50), so it rarely moves boundaries. maxKeyBytes keeps paths of 4 KiB from making pages of megabytes.
const (
	minRows      = 16
	boundaryBits = 5
	maxRows      = 160
	maxKeyBytes  = 32 << 10
)

// pager cuts a run of rows of one level, which starts where a page starts, into pages.
type pager struct {
	level    int
	rows     []row
	keyBytes int
	emit     func(Page) error
}

// add takes the next row.
func (g *pager) add(r row) error {
	g.rows = append(g.rows, r)
	g.keyBytes += len(r.key)
	if !g.full() {
		return nil
	}
	return g.flush()
}

func (g *pager) full() bool {
	if len(g.rows) < minRows {
		return false
	}
	return len(g.rows) >= maxRows || g.keyBytes >= maxKeyBytes || ends(g.level, g.rows[len(g.rows)-1].key)
}

// aligned tells whether the last row ended a page.
func (g *pager) aligned() bool { return len(g.rows) == 0 }

// flush ends the page that has been begun, if any.
func (g *pager) flush() error {
	if g.aligned() {
		return nil
	}
	p := pageOfRows(g.level, g.rows)
	g.rows, g.keyBytes = g.rows[:0], 0
	return g.emit(p)
}

// ends tells whether the hash of a key ends a page on a level. The level is hashed too, so that the last keys of
// pages, which all ended one level below, are no more likely to end a page than others.
func ends(level int, key Path) bool {
	b := make([]byte, 0, 256)
	b = append(b, byte(level))
	b = append(b, key...)
	h := sha256.Sum256(b)
	return binary.BigEndian.Uint32(h[:4])>>(32-boundaryBits) == 0
}
