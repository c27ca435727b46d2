// Package ingest brings a source to its next generation: it walks the source, decides what to keep and what to read,
// splits what changed, and publishes. It is the only place that knows the order of the pipeline (DESIGN hops 4-10);
// read Run and you have read it.
//
// What it promises: a walk that failed publishes nothing and deletes nothing (I2). One bad file costs one file: its last
// good version stays, marked stale, and it is tried again with back-off or when it, its plugin or its contract changes
// (C8). An unchanged tree splits nothing and publishes nothing (C4). Bytes in flight are bounded (I13).
//
// It never decides when to run, never serves a reader and never touches what is derived.
package ingest
