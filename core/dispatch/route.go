package dispatch

import (
	"path"
	"strings"

	"github.com/cleave-project/cleave/core/glob"
	"github.com/cleave-project/cleave/sdk"
)

// fallback is the claim to everything. It never wins over another, and does not count for a format that only its own
// parser can read.
const fallback = "*"

// headLimit is how much of a file's beginning Route looks at.
const headLimit = 1024

// Route decides which plugin gets the file of that name: a base name, or a slash path as it is. head is the content's
// beginning, as much as is at hand. The longer pattern wins, then the order of the plugins. An upper-case extension
// counts like a lower-case one.
func (d *Dispatcher) Route(name string, head []byte) Route {
	head = head[:min(len(head), headLimit)]
	base := path.Base(name)
	format := formatOf(base, head)
	winner, pattern := d.winner(name, base)
	if winner == nil {
		return Route{Err: sdk.Errorf(sdk.CodeUnsupportedType, "no plugin claims it")}
	}
	if pattern == fallback && format.parser != "" {
		return Route{Err: sdk.Errorf(sdk.CodeUnsupportedType, "%s needs a parser, and no plugin that is running claims it", format.parser)}
	}
	winner.mu.Lock()
	defer winner.mu.Unlock()
	id, ok := winner.identityLocked()
	if !ok {
		return Route{Err: sdk.Errorf(sdk.CodePluginRefused, "%s", winner.troubleLocked())}
	}
	return Route{Plugin: id, MediaType: format.mediaType, Lang: format.lang}
}

// winner is the pool with the longest pattern that matches.
func (d *Dispatcher) winner(name, base string) (winner *pool, longest string) {
	lower := strings.ToLower(base)
	for _, p := range d.pools {
		for _, pattern := range p.claims() {
			matches := glob.Match(pattern, base) || glob.Match(pattern, lower)
			if strings.Contains(pattern, "/") {
				matches = glob.Match(pattern, name)
			}
			if matches && (winner == nil || len(pattern) > len(longest)) {
				winner, longest = p, pattern
			}
		}
	}
	return winner, longest
}
