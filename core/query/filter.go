package query

import (
	"strings"
	"time"

	"github.com/cleave-project/cleave/core/glob"
	"github.com/cleave-project/cleave/core/index"
)

// passes tells whether a document passes the filters that are about documents (D3).
func (r *Request) passes(d *index.Document) bool {
	return (r.Path == "" || glob.Match(r.Path, string(d.Path))) &&
		(r.Author == "" || strings.Contains(strings.ToLower(d.Author), strings.ToLower(r.Author))) &&
		r.inTime(d) && r.inEffect(d)
}

func (r *Request) inTime(d *index.Document) bool {
	date := d.Date
	if date.IsZero() {
		date = time.Unix(0, d.Entry.Modified)
	}
	return (r.After.IsZero() || !date.Before(r.After)) && (r.Before.IsZero() || date.Before(r.Before))
}

// inEffect: a document without a from has always been in effect, one without a to will always be.
func (r *Request) inEffect(d *index.Document) bool {
	if r.AsOf.IsZero() {
		return true
	}
	return !r.AsOf.Before(d.From) && (d.To.IsZero() || r.AsOf.Before(d.To))
}

// chunk tells whether a chunk passes the filters that are about chunks.
func (r *Request) chunk(kind, lang string) bool {
	return (r.Kind == "" || kind == r.Kind) && (r.Lang == "" || sameLang(r.Lang, lang))
}

// sameLang compares as BCP 47 tags are filtered (RFC 4647, section 3.3.1): in any case, by whole subtags.
func sameLang(want, have string) bool {
	if len(have) < len(want) || !strings.EqualFold(want, have[:len(want)]) {
		return false
	}
	return len(have) == len(want) || have[len(want)] == '-'
}
