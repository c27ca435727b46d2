package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// mb is the unit of every rate: 10^6 bytes.
const mb = 1e6

// print writes the report for people.
func (r *report) print(w io.Writer) error {
	fmt.Fprintf(w, "machine  %s, %d cores, %s, %s\n", r.Machine.CPU, r.Machine.Cores, r.Machine.Go, r.Machine.OS)
	fmt.Fprintf(w, "corpus   %s: %d files, %.2f MB (%d others, %d left out)\n", r.Corpus.Root, r.Corpus.Files,
		float64(r.Corpus.Bytes)/mb, r.Corpus.Others, r.Corpus.LeftOut)
	fmt.Fprintf(w, "policy   %s, %s, %d tokens\n\n", r.Policy.Strategy, r.Policy.Tokenizer, r.Policy.MaxTokens)
	if err := r.printCosts(w); err != nil {
		return err
	}
	r.printEdits(w)
	r.printResult(w)
	return nil
}

func (r *report) printCosts(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%-18s\tcore CPU s\tplugin CPU s\twall s\tMB/CPU s\tMB/s\t\n", "")
	for _, row := range []struct {
		name string
		cost
	}{
		{"splitting alone", r.Split.All}, {"  read, hash", r.Split.Read}, {"  plugin", r.Split.Plugin},
		{"  outline check", r.Split.Check}, {"  pack", r.Split.Pack},
		{"cold scan", r.Scan.Cold}, {"  ingest", r.Scan.Ingest}, {"  index", r.Scan.Index}, {"  view", r.Scan.View},
		{"rescan, unchanged", r.Scan.Rescan},
	} {
		size := float64(r.Corpus.Bytes) / mb
		fmt.Fprintf(t, "%-18s\t%.2f\t%.2f\t%.2f\t%.1f\t%.1f\t\n", row.name, row.Self, row.Plugins, row.Wall, size/row.cpu(), size/row.Wall)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "of the scan's CPU: ")
	for _, part := range r.parts() {
		fmt.Fprintf(w, "%s %.0f %%  ", part.name, 100*part.cpu/r.Scan.Cold.cpu())
	}
	fmt.Fprintf(w, "(store: what ingest takes beyond splitting alone)\n")
	return nil
}

// part is a share of a cold scan.
type part struct {
	name string
	cpu  float64
}

func (r *report) parts() []part {
	return []part{
		{"read", r.Split.Read.cpu()}, {"plugin", r.Split.Plugin.cpu()}, {"check+pack", r.Split.Check.cpu() + r.Split.Pack.cpu()},
		{"store", r.Scan.Store}, {"index", r.Scan.Index.cpu()}, {"view", r.Scan.View.cpu()},
	}
}

func (r *report) printEdits(w io.Writer) {
	if e := r.Edits; e != nil {
		fmt.Fprintf(w, "\n%d edits of one file among %d, ms: ", e.Count, e.Documents)
		for _, q := range []struct {
			name string
			quantiles
		}{{"ingest", e.Ingest}, {"index and view", e.Follow}, {"both", e.All}} {
			fmt.Fprintf(w, "%s p50 %.1f p99 %.1f max %.1f  ", q.name, q.P50, q.P99, q.Max)
		}
		fmt.Fprintln(w)
	}
}

func (r *report) printResult(w io.Writer) {
	x, m := r.Result, r.Memory
	fmt.Fprintf(w, "\nresult   %d documents, %d chunks, %d rows, %d tokens; refused %d\n", x.Generation.Documents, x.Generation.Chunks,
		x.Rows, x.Tokens, r.Split.Failed)
	fmt.Fprintf(w, "promises over budget %d, miscounted %d, uncovered bytes %d, unequal slices %d (all must be 0)\n",
		x.OverBudget, x.Miscounted, x.Uncovered, x.Unequal)
	fmt.Fprintf(w, "disk     %.2f MB, %.2f bytes for each of the source\n", float64(x.Disk)/mb, x.DiskRatio)
	fmt.Fprintf(w, "memory   peak %.0f MB resident, %.0f anonymous (plugins %.0f, %.0f); idle %.0f, %.0f\n",
		float64(m.Peak.RSS)/mb, float64(m.Peak.Anon)/mb, float64(m.PeakPlugins.RSS)/mb, float64(m.PeakPlugins.Anon)/mb,
		float64(m.Idle.RSS)/mb, float64(m.Idle.Anon)/mb)
}
