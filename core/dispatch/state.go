package dispatch

import (
	"fmt"
	"strings"
	"time"
)

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

// described tells whether the plugin has ever started.
func (p *pool) described() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sha256 != ""
}

// refuse takes the plugin's claims away for good, and ends it.
func (p *pool) refuse(why string) {
	p.mu.Lock()
	p.refused = why
	p.mu.Unlock()
	p.close()
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
		return fmt.Sprintf("died on %d files in a row, rests until %s", p.rest.deaths, p.rest.until.Format(time.RFC3339))
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
