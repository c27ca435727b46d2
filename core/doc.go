// Package core holds cleave's daemon side: the rooms below it and the words and invariants they share.
//
// # Words
//
// A source is a configured root directory with its rules. A document is one file of a source; its identity is
// (source, slash path relative to the root, as bytes). A revision is the SHA-256 of a document's raw bytes. A
// listing is what a walk of a source found. An outline is what a splitter says about a document: units, skipped
// spans, metadata, warnings. A policy is strategy, budget, overlap, tokenizer and oversize rule. Packing makes
// chunks out of an outline under a policy. A chunk is a contiguous span of the text with breadcrumb and context.
// A generation is an immutable, complete state of one source. The head names a source's current generation. A
// caller is uid, gid and groups of the process at the other end of the socket, as the kernel says.
//
// # Invariants
//
//   - I1 The head names a complete generation; every object it reaches was durable before it moved.
//   - I2 A generation comes from a listing in which each directory was read, is unchanged, or is carried. Absence
//     deletes only in a directory that was read. A root that is gone or replaced, or any I/O error, publishes
//     nothing.
//   - I3 Objects are immutable and addressed by the hash of their canonical encoding; put is idempotent; get
//     verifies.
//   - I4 chunk.text == text[start:end], and the map leads from text to the file.
//   - I5 tokens(embedding text, special tokens included) <= budget, by the policy's tokenizer. No truncation.
//   - I6 Every non-space byte of the text is in a chunk or in a skipped span with a reason.
//   - I7 Same bytes and same splitting contract give the same chunks, anywhere, in any order of work.
//   - I8 Incremental equals from scratch: any history of changes ends in the generation root that a fresh build of
//     the final tree gives, as long as no document is stale, failed or carried.
//   - I9 A query pins one generation from match to expansion to citation.
//   - I10 Nothing of a document crosses the socket unless the access policy it has now admits the caller.
//   - I11 Derived data can be deleted and rebuilt, and never answers for a generation it does not hold.
//   - I12 What a plugin returns is untrusted: other Go types before the check than after it.
//   - I13 Bounded: memory by bytes in flight, plugins by time, memory and output, disk by retention.
//
// # Direction of imports
//
// cmd -> daemon -> {ingest, query, answer, dispatch} -> leaves -> object; core -> sdk; plugins and examples -> sdk.
// The table in core/imports_test.go says for each package what it may import and why.
package core
