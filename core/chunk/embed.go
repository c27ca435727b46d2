package chunk

import (
	"crypto/sha256"

	"github.com/cleave-project/cleave/core/object"
)

// EmbedText is the text that is embedded for c, and counted (A5, B1): the title, if it is not the first heading, and the
// breadcrumb, joined by " > ", then a newline; each repeated context, ending in a newline; the chunk's text. The outer
// elements that found no room (c.Unprefixed) are left out. Text is the whole document's.
func EmbedText(title string, titled bool, c object.Chunk, text []byte) []byte {
	all := elements(title, titled, c.Breadcrumb)
	out := []byte(prefixLine(all[min(c.Unprefixed, len(all)):]))
	out = appendContexts(out, c.Context, text)
	return append(out, text[c.Span.Start:c.Span.End]...)
}

// elements is the breadcrumb with the title in front where it is embedded.
func elements(title string, titled bool, breadcrumb []string) []string {
	if !titled || title == "" {
		return breadcrumb
	}
	return append([]string{title}, breadcrumb...)
}

// words is the hash of what an index row is made of: kind, language, breadcrumb and text.
func words(c *object.Chunk, text []byte) object.ID {
	f := framer{h: sha256.New()}
	f.str(c.Kind)
	f.str(c.Lang)
	f.num(len(c.Breadcrumb))
	for _, e := range c.Breadcrumb {
		f.str(e)
	}
	f.bytes(text[c.Span.Start:c.Span.End])
	return f.sum()
}
