package dispatch

import (
	"fmt"
	"strings"
	"time"

	"github.com/cleave-project/cleave/sdk"
)

// rest is the pause that a plugin earns by failing: it doubles with every failure in a row and ends with the first
// success. The first ones are short, since one bad file must not slow down the good ones that follow it.
type rest struct {
	failures int
	until    time.Time
}

const (
	firstRest   = 10 * time.Millisecond
	longestRest = time.Minute
	// patience is the longest rest that a call waits for. The eighth failure in a row earns a longer one.
	patience = time.Second
)

func (r *rest) failed(now time.Time) {
	r.failures++
	pause := longestRest
	if r.failures < 14 { // 10 ms doubled 13 times is more than a minute
		pause = min(firstRest<<(r.failures-1), longestRest)
	}
	r.until = now.Add(pause)
}

func (r *rest) over() { *r = rest{} }

// resting is how long the plugin still rests.
func (p *pool) resting() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(time.Until(p.rest.until), 0)
}

func (p *pool) restError(left time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	why := "it failed"
	if p.err != "" {
		why = p.err
	}
	return sdk.Errorf(sdk.CodePluginRefused, "plugin %s rests for %s after failing %d times in a row: %s",
		p.nameLocked(), left.Round(time.Second), p.rest.failures, why)
}

// identity is known once the plugin has started and while its name is its own.
func (p *pool) identity() (Identity, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.identityLocked()
}

func (p *pool) identityLocked() (Identity, bool) {
	if p.sha256 == "" || p.refused != "" {
		return Identity{}, false
	}
	return Identity{Name: p.info.Name, Version: p.info.Version, SHA256: p.sha256, Input: p.info.Input}, true
}

// refuse takes the plugin's claims away for good.
func (p *pool) refuse(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused = why
}

// claims are the patterns in force: the operator's, else the plugin's own.
func (p *pool) claims() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.claimsLocked()
}

func (p *pool) claimsLocked() []string {
	switch {
	case len(p.plugin.Match) > 0:
		return p.plugin.Match
	case p.refused != "":
		return nil
	}
	return p.info.Globs
}

func (p *pool) nameLocked() string {
	if p.info.Name != "" {
		return p.info.Name
	}
	return p.plugin.Name
}

// troubleLocked is why it does not run. Empty: it does.
func (p *pool) troubleLocked() string {
	switch {
	case p.refused != "":
		return p.refused
	case p.err != "":
		return strings.TrimSpace(p.err)
	case time.Until(p.rest.until) > patience:
		return fmt.Sprintf("failed %d times in a row, rests until %s", p.rest.failures, p.rest.until.Format(time.RFC3339))
	}
	if p.sha256 == "" {
		return "has not been started"
	}
	return ""
}

func (p *pool) status() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Status{
		Name:      p.nameLocked(),
		Version:   p.info.Version,
		SHA256:    p.sha256,
		Claims:    p.claimsLocked(),
		Processes: p.running,
		Calls:     p.calls,
		Crashes:   p.crashes,
		Error:     p.troubleLocked(),
	}
}
