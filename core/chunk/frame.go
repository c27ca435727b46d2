package chunk

import (
	"slices"
	"strings"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/token"
	"github.com/cleave-project/cleave/sdk"
)

// frame is what an embedding text has before the chunk's own text: title and breadcrumb, and repeated context.
type frame struct {
	breadcrumb []string
	unprefixed int
	contexts   []object.Context
	dropped    []object.Context
	counted    *token.Measured // counts slices of the text behind this frame
	tokens     int             // of the frame alone
}

// frames keeps the last frame, since neighbours mostly share it, and the last prefix.
type frames struct {
	key struct {
		crumb    int
		contexts []object.Context
		budget   int
		without  int
	}
	last   *frame
	crumb  int
	prefix *prefix
}

// prefix is a unit's title and breadcrumb, and what of it is embedded.
type prefix struct {
	breadcrumb []string
	unprefixed int
	line       string // what is embedded, with its newline; empty for nothing
	tokens     int
}

// share is the part of a budget that a prefix, and that context other than headers, may take (DESIGN: a third).
const share = 3

// prefixOf is the prefix of unit. Elements are left out from the outer end, the title first, until what is embedded
// takes at most a third of the room: text that is only about where it stands answers nothing. So a breadcrumb, however
// long, never fails a document.
func (k *packer) prefixOf(unit int) *prefix {
	crumb := of(k.tree.crumb, unit)
	if k.frames.prefix != nil && k.frames.crumb == crumb {
		return k.frames.prefix
	}
	p := &prefix{breadcrumb: k.tree.breadcrumb(crumb)}
	all := elements(k.o.Title, k.o.Titled, p.breadcrumb)
	p.unprefixed = len(all)
	for n := len(all) - 1; n >= 0; n-- {
		line := prefixLine(all[n:])
		tokens := k.tok.Count([]byte(line))
		if tokens > k.room/share {
			break
		}
		p.unprefixed, p.line, p.tokens = n, line, tokens
	}
	k.frames.crumb, k.frames.prefix = crumb, p
	return p
}

// prefixLine is how elements stand in an embedding text.
func prefixLine(elements []string) string {
	if len(elements) == 0 {
		return ""
	}
	return strings.Join(elements, " > ") + "\n"
}

// frame is g's frame, whose context other than headers has at most budget tokens.
func (k *packer) frame(g *group, budget int) *frame {
	return k.frameWithout(g, budget, 0)
}

// everything stands for all elements of a prefix.
const everything = 1 << 30

// bare is g's frame without prefix and with no context but headers: the last resort.
func (k *packer) bare(g *group) *frame { return k.frameWithout(g, onlyHeaders, everything) }

// onlyHeaders is the budget of a frame that drops key cells too.
const onlyHeaders = -1

// frameWithout is g's frame without so many outer elements of title and breadcrumb.
func (k *packer) frameWithout(g *group, budget, without int) *frame {
	crumb := of(k.tree.crumb, g.top)
	contexts := k.contextsOf(g)
	key := &k.frames.key
	if k.frames.last != nil && key.crumb == crumb && key.budget == budget && key.without == without && slices.Equal(key.contexts, contexts) {
		return k.frames.last
	}
	p := k.prefixOf(g.top)
	f := &frame{breadcrumb: p.breadcrumb, unprefixed: p.unprefixed}
	line := p.line
	if without > p.unprefixed {
		all := elements(k.o.Title, k.o.Titled, p.breadcrumb)
		f.unprefixed = min(without, len(all))
		line = prefixLine(all[f.unprefixed:])
	}
	f.contexts, f.dropped = k.choose(contexts, budget)
	head := appendContexts([]byte(line), f.contexts, k.text)
	f.counted = k.whole
	if len(head) > 0 {
		f.counted = k.whole.After(head)
	}
	f.tokens = f.counted.Count(0, 0)
	key.crumb, key.budget, key.without = crumb, budget, without
	key.contexts = append(key.contexts[:0], contexts...)
	k.frames.last = f
	return f
}

// appendContexts appends the contexts as they stand in an embedding text.
func appendContexts(dst []byte, contexts []object.Context, txt []byte) []byte {
	for _, c := range contexts {
		dst = append(dst, txt[c.Span.Start:c.Span.End]...)
		if dst[len(dst)-1] != '\n' {
			dst = append(dst, '\n')
		}
	}
	return dst
}

// choose keeps what fits of contexts and returns the rest apart, both in order. Headers always stay, and so do key cells
// unless only headers are asked for. The others are dropped whole, from the least important end.
func (k *packer) choose(contexts []object.Context, budget int) (kept, dropped []object.Context) {
	firm, total := firm, 0
	if budget == onlyHeaders {
		firm = headers
	}
	tokens := make([]int, len(contexts))
	for i, c := range contexts {
		if rank(c.Role) < firm {
			tokens[i] = k.whole.Count(int(c.Span.Start), int(c.Span.End)) + 1 // its newline
			total += tokens[i]
		}
	}
	out := make([]bool, len(contexts))
	for _, i := range dropOrder(contexts, firm) {
		if total <= max(budget, 0) {
			break
		}
		out[i] = true
		total -= tokens[i]
	}
	for i, c := range contexts {
		if out[i] {
			dropped = append(dropped, c)
		} else {
			kept = append(kept, c)
		}
	}
	return kept, dropped
}

// firm is the rank from which on a context is not dropped, headers that of those that never are.
const (
	firm    = 3
	headers = 4
)

// rank orders roles by importance.
func rank(role string) int {
	switch sdk.Role(role) {
	case sdk.RoleLead:
		return 0
	case sdk.RoleImport:
		return 1
	case sdk.RoleSignature:
		return 2
	case sdk.RoleKey:
		return firm
	}
	return headers
}

// dropOrder is the contexts below a rank in the order in which they are dropped: by rank; of imports and leads the last
// one first, of signatures the outermost, whose name the breadcrumb has.
func dropOrder(contexts []object.Context, firm int) []int {
	var order []int
	for i := range contexts {
		if rank(contexts[i].Role) < firm {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		ra, rb := rank(contexts[a].Role), rank(contexts[b].Role)
		if ra != rb {
			return ra - rb
		}
		if sdk.Role(contexts[a].Role) == sdk.RoleSignature {
			return a - b
		}
		return b - a
	})
	return order
}
