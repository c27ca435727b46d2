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

// Route decides which plugin gets the file of that name: a base name, or a slash path as it is. head is the content's
// beginning, as much as is at hand. The longer pattern wins, then the order of the plugins. An upper-case extension
// counts like a lower-case one.
func (d *Dispatcher) Route(name string, head []byte) Route {
	base := path.Base(name)
	winner, pattern := d.winner(name, base)
	if winner == nil {
		return Route{Err: sdk.Errorf(sdk.CodeUnsupportedType, "no plugin claims it")}
	}
	format := formatOf(base, head)
	if pattern == fallback && format.parser != "" {
		return Route{Err: sdk.Errorf(sdk.CodeUnsupportedType, "%s needs a parser, and no plugin that is running claims it", format.parser)}
	}
	return winner.route(format)
}

// RouteTo gives the file to the plugin of that name, whatever it claims.
func (d *Dispatcher) RouteTo(plugin, name string, head []byte) Route {
	for _, p := range d.pools {
		if p.status().Name == plugin {
			return p.route(formatOf(path.Base(name), head))
		}
	}
	return Route{Err: sdk.Errorf(sdk.CodeInvalidConfig, "there is no plugin %q", plugin)}
}

// route is the pool's as it stands. A plugin's only media type names a format that nobody else knows.
func (p *pool) route(f format) Route {
	p.mu.Lock()
	defer p.mu.Unlock()
	id, ok := p.identityLocked()
	if !ok {
		return Route{Plugin: Identity{Name: p.nameLocked()}, Err: sdk.Errorf(sdk.CodePluginRefused, "%s", p.troubleLocked())}
	}
	if f.mediaType == "" {
		f.mediaType = plainText.mediaType
		if len(p.info.MediaTypes) == 1 {
			f.mediaType = p.info.MediaTypes[0]
		}
	}
	return Route{Plugin: id, MediaType: f.mediaType, Lang: f.lang}
}

// winner is the pool with the longest pattern that matches.
func (d *Dispatcher) winner(name, base string) (winner *pool, longest string) {
	lower := strings.ToLower(base)
	for _, p := range d.pools {
		for _, pattern := range p.claims() {
			matches := glob.Match(pattern, base) || lower != base && glob.Match(pattern, lower)
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
