package config

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/cleave-project/cleave/core/glob"
)

// namePattern is what sources and plugins may be called: a name is part of keys, paths and command lines.
var namePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// checker checks what fits its type but may still mean nothing. It also cleans paths.
type checker struct {
	*binder
	config *Config
}

func (c *checker) run() {
	c.paths()
	c.limits()
	for _, f := range c.config.Chunking.faults() {
		c.bad("chunking", f.key, allowedFor(Policy{}, f.key), "%s", f.reason)
	}
	c.tenants()
	sound := len(c.problems) == 0 // a rule on top of a bad policy would only repeat it
	for i := range c.config.Sources {
		c.source(fmt.Sprintf("source[%d]", i), &c.config.Sources[i], sound)
	}
	c.sourceNames()
	c.roots()
	for i := range c.config.Plugins {
		c.plugin(fmt.Sprintf("plugin[%d]", i), &c.config.Plugins[i])
	}
	c.pluginNames()
}

// absolute reports a path that is not absolute and cleans one that is.
func (c *checker) absolute(path, key, allowed string, p *string) {
	switch {
	case *p == "":
		c.bad(path, key, allowed, "is empty")
	case !filepath.IsAbs(*p) || strings.ContainsRune(*p, 0):
		c.bad(path, key, allowed, "%q is not an absolute path", *p)
	default:
		*p = filepath.Clean(*p)
	}
}

func (c *checker) paths() {
	cfg := c.config
	for key, p := range map[string]*string{
		"state_dir": &cfg.StateDir, "socket": &cfg.Socket, "plugin_dir": &cfg.PluginDir,
	} {
		c.absolute("", key, allowedFor(*cfg, key), p)
	}
	if strings.ContainsAny(cfg.SocketGroup, ":, \t\n") {
		c.bad("", "socket_group", allowedFor(*cfg, "socket_group"), "%q is not the name of a group", cfg.SocketGroup)
	}
}

// limits checks the tables that take part of their keys' values only, since the rest is not in force.
func (c *checker) limits() {
	cfg, def := c.config, Default()
	c.fixed("watch", "quiet", `"300ms"`, cfg.Watch.Quiet == def.Watch.Quiet, cfg.Watch.Quiet)
	c.fixed("watch", "max_age", `"5s"`, cfg.Watch.MaxAge == def.Watch.MaxAge, cfg.Watch.MaxAge)
	if cfg.Watch.Rescan <= 0 {
		c.bad("watch", "rescan", allowedFor(Watch{}, "rescan"), "%q is not above 0", cfg.Watch.Rescan)
	}
	if cfg.Files.MaxSize <= 0 {
		c.bad("files", "max_size", allowedFor(Files{}, "max_size"), "%q is not above 0", cfg.Files.MaxSize)
	}
	c.fixed("files", "follow_symlinks", "false", !cfg.Files.FollowSymlinks, cfg.Files.FollowSymlinks)
	c.fixed("retention", "generations", "20", cfg.Retention.Generations == def.Retention.Generations, cfg.Retention.Generations)
	c.fixed("retention", "age", `"24h"`, cfg.Retention.Age == def.Retention.Age, cfg.Retention.Age)
}

// fixed refuses by name a value that is not in force yet.
func (c *checker) fixed(path, key, allowed string, ok bool, value any) {
	if ok {
		return
	}
	switch value.(type) {
	case bool, int:
		c.bad(path, key, allowed, "%v %s", value, notInForce)
	default:
		c.bad(path, key, allowed, "%q %s", fmt.Sprint(value), notInForce)
	}
}

// only refuses by name every element of a list that is not in force yet.
func (c *checker) only(path, key, allowed string, values []string, inForce string) {
	if len(values) == 0 {
		c.bad(path, key, allowed, "an empty list %s", notInForce)
	}
	for i, v := range values {
		c.fixed(path, fmt.Sprintf("%s[%d]", key, i), allowed, v == inForce, v)
	}
}

// tenants admits the one tenant of everyone, written out or not.
func (c *checker) tenants() {
	for i, t := range c.config.Tenants {
		path := fmt.Sprintf("tenant[%d]", i)
		switch {
		case t.Name == "":
			c.bad(path, "name", allowedFor(t, "name"), "is missing in [[tenant]]")
		case t.Name == "default" && i > 0:
			c.bad(path, "name", allowedFor(t, "name"), "%q is given twice", t.Name)
		default:
			c.fixed(path, "name", allowedFor(t, "name"), t.Name == "default", t.Name)
		}
		c.only(path, "members", allowedFor(t, "members"), t.Members, "*")
	}
	if len(c.config.Tenants) == 0 { // written as an empty list: the same as not at all
		c.config.Tenants = Default().Tenants
	}
}

func (c *checker) source(path string, s *Source, policySound bool) {
	c.name(path, s.Name, allowedFor(*s, "name"))
	if s.Root == "" {
		c.bad(path, "root", allowedFor(*s, "root"), "is missing in [[source]]")
	} else {
		c.absolute(path, "root", allowedFor(*s, "root"), &s.Root)
	}
	c.fixed(path, "tenant", allowedFor(*s, "tenant"), s.Tenant == "default", s.Tenant)
	c.globs(path, "include", allowedFor(*s, "include"), s.Include)
	c.globs(path, "exclude", allowedFor(*s, "exclude"), s.Exclude)
	c.only(path, "readers", allowedFor(*s, "readers"), s.Readers, "filesystem")
	switch s.OnError {
	case "keep":
	case "hold":
		c.fixed(path, "on_error", allowedFor(*s, "on_error"), false, s.OnError)
	default:
		c.bad(path, "on_error", allowedFor(*s, "on_error"), "%q is not a way to treat errors", s.OnError)
	}
	for i, r := range s.Rules {
		c.rule(fmt.Sprintf("%s.rule[%d]", path, i), r, policySound)
	}
}

// rule checks a rule on top of the default policy. Two rules that match one file may still contradict each other; that
// shows when the file is packed, and fails that file.
func (c *checker) rule(path string, r Rule, policySound bool) {
	if r.Match == "" {
		c.bad(path, "match", allowedFor(r, "match"), "is missing in [[source.rule]]")
	}
	c.globs(path, "match", allowedFor(r, "match"), []string{r.Match})
	if policySound {
		for _, f := range r.apply(c.config.Chunking).faults() {
			c.bad(path, f.key, allowedFor(r, f.key), "%s", f.reason)
		}
	}
	if r.Readers != nil {
		c.only(path, "readers", allowedFor(r, "readers"), r.Readers, "filesystem")
	}
	c.fixed(path, "effective_from", allowedFor(r, "effective_from"), r.EffectiveFrom == "", r.EffectiveFrom)
	c.fixed(path, "effective_to", allowedFor(r, "effective_to"), r.EffectiveTo == "", r.EffectiveTo)
}

func (c *checker) plugin(path string, p *Plugin) {
	c.name(path, p.Name, allowedFor(*p, "name"))
	c.command(path, p)
	c.globs(path, "match", allowedFor(*p, "match"), p.Match)
	p.SHA256 = strings.ToLower(p.SHA256)
	if !sha256Pattern.MatchString(p.SHA256) {
		c.bad(path, "sha256", allowedFor(*p, "sha256"), "%q is not a SHA-256", p.SHA256)
	}
	if p.Timeout <= 0 {
		c.bad(path, "timeout", allowedFor(*p, "timeout"), "%q is not above 0", p.Timeout)
	}
	if p.Processes < 0 {
		c.bad(path, "processes", allowedFor(*p, "processes"), "%d is below 0", p.Processes)
	}
	c.fixed(path, "memory", allowedFor(*p, "memory"), p.Memory == defaultPlugin().Memory, p.Memory)
	for i, r := range p.Read {
		c.fixed(path, fmt.Sprintf("read[%d]", i), allowedFor(*p, "read"), false, r)
	}
	c.fixed(path, "cache", allowedFor(*p, "cache"), !p.Cache, p.Cache)
	c.fixed(path, "mtls", allowedFor(*p, "mtls"), !p.MTLS, p.MTLS)
}

var sha256Pattern = regexp.MustCompile(`^([0-9a-f]{64})?$`)

// command keeps a plugin's program beneath plugin_dir.
func (c *checker) command(path string, p *Plugin) {
	allowed := allowedFor(*p, "command")
	if len(p.Command) == 0 {
		c.bad(path, "command", allowed, "is missing in [[plugin]]")
		return
	}
	program := p.Command[0]
	if !filepath.IsLocal(program) || slices.Contains(strings.Split(program, "/"), "..") || filepath.Clean(program) == "." {
		c.bad(path, "command[0]", allowed, "%q is not beneath plugin_dir", program)
	}
}

func (c *checker) name(path, name, allowed string) {
	switch {
	case name == "":
		c.bad(path, "name", allowed, "is missing%s", inTable(path))
	case !namePattern.MatchString(name):
		c.bad(path, "name", allowed, "%q is not a name", name)
	}
}

func (c *checker) globs(path, key, allowed string, patterns []string) {
	for i, p := range patterns {
		if err := glob.Valid(p); err != nil {
			c.bad(path, fmt.Sprintf("%s[%d]", key, i), allowed, "%q: %s", p, err)
		}
	}
}

func (c *checker) sourceNames() {
	for i, s := range c.config.Sources {
		if j := slices.IndexFunc(c.config.Sources, func(o Source) bool { return o.Name == s.Name }); j < i && s.Name != "" {
			c.bad(fmt.Sprintf("source[%d]", i), "name", allowedFor(s, "name")+", used once", "%q is given twice", s.Name)
		}
	}
}

func (c *checker) pluginNames() {
	for i, p := range c.config.Plugins {
		if j := slices.IndexFunc(c.config.Plugins, func(o Plugin) bool { return o.Name == p.Name }); j < i && p.Name != "" {
			c.bad(fmt.Sprintf("plugin[%d]", i), "name", allowedFor(p, "name")+", used once", "%q is given twice", p.Name)
		}
	}
}

// roots refuses sources that share files: a file would be two documents, and each source would publish for both.
func (c *checker) roots() {
	for i, s := range c.config.Sources {
		for _, o := range c.config.Sources[:i] {
			if within(s.Root, o.Root) || within(o.Root, s.Root) {
				c.bad(fmt.Sprintf("source[%d]", i), "root", "a root that is neither inside nor around another source's",
					"%q of source %q overlaps %q of source %q", s.Root, s.Name, o.Root, o.Name)
			}
		}
	}
}

// within tells whether the clean path p is dir or lies beneath it.
func within(p, dir string) bool {
	if !filepath.IsAbs(p) || !filepath.IsAbs(dir) {
		return false
	}
	return p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/")
}
