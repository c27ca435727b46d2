package ingest

import (
	"fmt"
	"strings"
	"time"

	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/core/dispatch"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/scan"
	"github.com/cleave-project/cleave/core/store"
	"github.com/cleave-project/cleave/sdk"
)

// outcome is what a run decided about one path. A path of the head that has no outcome is gone.
type outcome struct {
	path    object.Path
	entry   *object.Entry  // nil: no document
	stat    *store.Stat    // nil: what is recorded stays
	failure *store.Failure // nil: not quarantined
	// quarantine is failure where this run is the one that met it.
	quarantine *Quarantine
	down       string // why the plugin that failure names could not be asked
	carried    string // why the path could not be read, where its last version is carried
	beneath    bool   // carried with its directory, which has an outcome of its own
}

// task is a file that must be read.
type task struct {
	file     scan.File
	route    dispatch.Route
	policy   object.Policy
	contract object.ID
}

// plan divides a listing into what is decided and what must be read (hop 5). Making one reads nothing.
type plan struct {
	decided []outcome
	tasks   []task
}

func makePlan(d Deps, src Source, m *memory, l *scan.Listing, now time.Time) (*plan, error) {
	p := &plan{}
	contracts := contractsOf(d)
	whole := d.Splitters.Whole()
	for _, f := range l.Files {
		path := object.Path(f.Path)
		t := task{file: f, route: d.Splitters.Route(f.Path, nil), policy: src.Policy(path)}
		if !whole {
			t.route = m.loyal(d.Splitters, path, t.route)
		}
		if t.route.Err != nil {
			p.decided = append(p.decided, m.unrouted(t, now))
			continue
		}
		c, err := contracts(t.route, t.policy)
		if err != nil {
			return nil, fmt.Errorf("policy of %s: %w", f.Path, err)
		}
		t.contract = c
		if o, ok := m.keep(t, now); ok {
			p.decided = append(p.decided, o)
		} else {
			p.tasks = append(p.tasks, t)
		}
	}
	for _, o := range l.LeftOut {
		p.decided = append(p.decided, outcome{path: object.Path(o.Path), stat: &store.Stat{LeftOut: string(o.Reason)}})
	}
	p.decided = append(p.decided, m.carry(l.Carried)...)
	return p, nil
}

// contractsOf answers with the contract of a route and policy; a run sees few of them and hashes each once.
func contractsOf(d Deps) func(dispatch.Route, object.Policy) (object.ID, error) {
	type key struct {
		plugin object.PluginRef
		policy object.Policy
	}
	known := map[key]object.ID{}
	return func(r dispatch.Route, p object.Policy) (object.ID, error) {
		k := key{object.PluginRef{Name: r.Plugin.Name, Version: r.Plugin.Version}, p}
		if id, ok := known[k]; ok {
			return id, nil
		}
		tok, err := d.Tokenizers(p.Tokenizer)
		if err != nil {
			return object.ID{}, err
		}
		known[k] = chunk.Contract(k.plugin, noOptions, p, tok.Hash())
		return known[k], nil
	}
}

// keep decides about a file whose stat says that it is the one we know, under the contract we know it by.
func (m *memory) keep(t task, now time.Time) (outcome, bool) {
	path := object.Path(t.file.Path)
	st, ok := m.stats[path]
	if !ok || !t.file.Same(scan.Stat{Size: st.Size, ModTime: st.Modified, ChangeTime: st.Changed, Inode: st.Inode}, st.Scanned) {
		return outcome{}, false
	}
	if st.OutlineKey != outlineKey(st.Revision, t.route) {
		return outcome{}, false // another plugin may take what the last one did not
	}
	if st.LeftOut != "" {
		// Only reasons that come from the content are recorded with a revision; the walk gives the others anew.
		return outcome{path: path}, !st.Revision.IsZero()
	}
	if st.Contract != t.contract {
		return outcome{}, false
	}
	old, had := m.entries[path]
	if !had {
		return outcome{}, false
	}
	if f, failed := m.failures[path]; failed {
		return outcome{path: path, entry: &old, failure: &f}, stillWaits(f, t, st.Revision, now)
	}
	if old.State == object.StateFailed {
		return outcome{}, false // its quarantine record is gone: find out again
	}
	entry := entryOf(t.file, old.Doc, old.Chunks)
	return outcome{path: path, entry: &entry}, true
}

// carry keeps what the head holds beneath directories that could not be read (I2).
func (m *memory) carry(dirs []scan.Carried) []outcome {
	var out []outcome
	for _, c := range dirs {
		reason := c.Err.Error()
		for path, entry := range m.entries {
			if strings.HasPrefix(string(path), c.Dir) {
				o := m.stale(path, entry, reason)
				o.beneath = true
				out = append(out, o)
			}
		}
		for path, st := range m.stats {
			if st.LeftOut != "" && len(path) > len(c.Dir) && strings.HasPrefix(string(path), c.Dir) {
				out = append(out, outcome{path: path, stat: &st, carried: reason, beneath: true})
			}
		}
		out = append(out, outcome{path: object.Path(c.Dir), stat: &store.Stat{LeftOut: unreadable}, carried: reason})
	}
	return out
}

// stale carries one entry of the head over.
func (m *memory) stale(path object.Path, entry object.Entry, reason string) outcome {
	o := outcome{path: path, entry: &entry, carried: reason}
	if entry.State == object.StateCurrent {
		o.entry.State = object.StateStale
	}
	if f, ok := m.failures[path]; ok {
		o.failure = &f
	}
	return o
}

// entryOf is a document's entry as its file stands now.
func entryOf(f scan.File, doc object.ID, chunks int) object.Entry {
	return object.Entry{
		Doc: doc, Bytes: f.Size, Chunks: chunks, Modified: f.ModTime,
		Access: accessOf(f),
	}
}

func accessOf(f scan.File) object.Access {
	return object.Access{Mode: f.Mode & 0o7777, UID: f.UID, GID: f.GID}
}

// loyal is the route of a file while some plugin does not run and has not told what it claims: where that may be the one
// that split it, the document waits for it, rather than go to the fallback or go missing because a plugin is down.
func (m *memory) loyal(s Splitters, path object.Path, r dispatch.Route) dispatch.Route {
	_, had := m.entries[path]
	by := m.stats[path].Plugin
	if had && by != "" && by != r.Plugin.Name && !s.Has(by) {
		return dispatch.Route{Plugin: dispatch.Identity{Name: by},
			Err: sdk.Errorf(sdk.CodePluginRefused, "plugin %s, which split it, does not run", by)}
	}
	return r
}

// unrouted decides about a file that no plugin takes: there is none for it, or the one there is does not start. The
// latter is a failure of the document, since what was indexed of it must not go because a plugin is down. It is no try
// of the file, which nobody has read.
func (m *memory) unrouted(t task, now time.Time) outcome {
	path, cause := object.Path(t.file.Path), t.route.Err
	if leavesOut(cause) {
		return leftOut(t.file, string(cause.Code))
	}
	prev, had := m.failures[path]
	f := waiting(prev, had, store.Failure{Code: string(cause.Code), Message: cause.Message, Plugin: t.route.Plugin.Name}, now)
	old, hadEntry := m.entries[path]
	entry := failedEntry(old, hadEntry, entryOf(t.file, object.ID{}, 0))
	return outcome{path: path, entry: &entry, failure: &f, down: cause.Message}
}

// unreadable is the reason of what could not be read and was never indexed.
const unreadable = "unreadable"

func leftOut(f scan.File, reason string) outcome {
	return outcome{path: object.Path(f.Path), stat: &store.Stat{LeftOut: reason}}
}
