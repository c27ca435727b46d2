package ingest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// publish turns what was decided into one generation, then records what serves the next run. The head moves first: a
// crash in between costs reading some files again, never a document.
func publish(ctx context.Context, d Deps, src Source, st *store.Stage, m *memory, out []outcome, req Request) (Report, error) {
	edits, changes := editsOf(m, out)
	if m.damage != nil {
		edits = wholeOf(out)
	}
	report := Report{Complete: true, Mended: m.damage}
	for _, o := range out {
		report.note(o)
	}
	g, published, err := st.Publish(ctx, store.Update{
		Edits: edits, Whole: m.damage != nil, Delta: deltaOf(changes), Reason: req.Reason, Complete: report.Complete, Time: req.Now().UnixNano(),
	})
	if err != nil {
		return Report{}, err
	}
	report.Generation, report.Published, report.Written = g, published, st.Written()
	if err := remember(ctx, d.Records, src.Name, m, out); err != nil {
		return Report{}, fmt.Errorf("record what was scanned: %w", err)
	}
	return report, nil
}

// editsOf compares what was decided with the head, in path order.
func editsOf(m *memory, out []outcome) ([]store.Edit, []object.Change) {
	var edits []store.Edit
	var changes []object.Change
	seen := make(map[object.Path]bool, len(out))
	note := func(path object.Path, old, fresh *object.Entry) {
		edits = append(edits, store.Edit{Path: path, Entry: fresh})
		changes = append(changes, object.Change{Path: path, Old: old, New: fresh})
	}
	for _, o := range out {
		seen[o.path] = seen[o.path] || o.entry != nil
		old, had := m.entries[o.path]
		switch {
		case o.entry == nil: // removed below, where the head has it
		case !had:
			note(o.path, nil, o.entry)
		case old != *o.entry:
			note(o.path, &old, o.entry)
		}
	}
	for path, old := range m.entries {
		if !seen[path] {
			note(path, &old, nil)
		}
	}
	slices.SortFunc(edits, func(a, b store.Edit) int { return strings.Compare(string(a.Path), string(b.Path)) })
	return edits, changes
}

// wholeOf is everything that was decided, for a tree that takes nothing from its parent.
func wholeOf(out []outcome) []store.Edit {
	var edits []store.Edit
	for _, o := range out {
		if o.entry != nil {
			edits = append(edits, store.Edit{Path: o.path, Entry: o.entry})
		}
	}
	return edits
}

// deltaOf counts changes as people speak of them: a document that went from one path to another moved.
func deltaOf(changes []object.Change) object.Delta {
	var d object.Delta
	gone := map[object.ID]int{}
	for _, c := range changes {
		if !holds(c.New) && holds(c.Old) {
			gone[c.Old.Doc]++
		}
	}
	for _, c := range changes {
		switch {
		case !holds(c.Old) && !holds(c.New): // failed before or after, and never a document
		case !holds(c.New):
			d.Removed++
		case !holds(c.Old) && gone[c.New.Doc] > 0:
			gone[c.New.Doc]--
			d.Removed--
			d.Moved++
		case !holds(c.Old):
			d.Added++
		case c.Old.Doc != c.New.Doc:
			d.Changed++
		default:
			d.Metadata++
		}
	}
	return d
}

// holds tells whether an entry holds a document: one that failed and never was good does not.
func holds(e *object.Entry) bool { return e != nil && !e.Doc.IsZero() }

// recordTime is how long a run that is to end may still take to record what it has published; without the record the
// next run reads the changed files again. The number is chosen: 100,000 stats take a second on a slow disk.
const recordTime = 5 * time.Second

// remember writes the differences between what is recorded beside the generation and what this run saw. A ctx that ends
// does not end it: the head has moved already.
func remember(ctx context.Context, to Records, source object.Source, m *memory, out []outcome) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	var stats []store.StatItem
	var failures []store.FailureItem
	present, failing := make(map[object.Path]bool, len(out)), map[object.Path]bool{}
	for _, o := range out {
		if o.stat != nil || o.entry != nil || m.stats[o.path].LeftOut != "" {
			present[o.path] = true
		}
		if o.stat != nil && o.entry != nil && o.failure == nil {
			o.stat.Doc = o.entry.Doc
		}
		if old, ok := m.stats[o.path]; o.stat != nil && (!ok || old != *o.stat) {
			stats = append(stats, store.StatItem{Path: o.path, Stat: *o.stat})
		}
		if o.failure != nil {
			failing[o.path] = true
			if old, ok := m.failures[o.path]; !ok || old != *o.failure {
				failures = append(failures, store.FailureItem{Path: o.path, Failure: *o.failure})
			}
		}
	}
	// The failures go first: a stat of bytes that failed is only believed beside the failure of just these bytes.
	if err := to.SetFailures(ctx, source, failures, missing(m.failures, failing)); err != nil {
		return err
	}
	return to.SetStats(ctx, source, stats, missing(m.stats, present))
}

// missing lists the keys of known that are not in present, in order.
func missing[V any](known map[object.Path]V, present map[object.Path]bool) []object.Path {
	var out []object.Path
	for path := range known {
		if !present[path] {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}
