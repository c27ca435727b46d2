// Package chunk packs a checked outline into chunks under a policy. It is the one place that holds the rules of
// joining, cutting, overlap and repeated context, the same for every format; it reads no file and knows no plugin.
//
// # What it promises
//
//   - I4 a chunk's text is a slice of the document's text.
//   - I5 a chunk's embedding text has at most the policy's tokens, special tokens included, counted exactly.
//   - I6 every byte that is not space (sdk.IsSpace) is in a chunk or in a skipped span.
//   - I7 the result depends on outline, policy and tokenizer alone.
//   - Start and end of the chunks' ranges strictly increase; no chunk is empty; no cut falls inside a UTF-8 character,
//     or inside a grapheme cluster unless the cluster alone exceeds the budget (A6).
//   - Time is linear in the text and the number of units.
//
// # How the structural strategy works
//
// The tree of units is flattened to atoms: tiles that cover the text, each of one unit, none across the border of a
// section, a border unit or a skipped span (tile.go). Atoms of one section form a run (run.go). In a run, leads
// (headings, header rows, units that cling) form a block with what follows them; blocks that fit are joined up to the
// budget (join.go). Of a block that does not fit, the body is cut, and its leads go with the first piece (lead.go): a
// unit at its children, which are packed as a sequence of their own, a row at its cells (row.go; table.go has what they
// repeat), a text at its lines, sentences, words and graphemes (window.go). Only pieces of such a cut overlap
// (overlap.go). Where several cuts are equally good, the content around them decides (anchor.go).
//
// What stands in front of a chunk's text, breadcrumb and repeated context, is a frame (frame.go). All counting goes
// through token.Measured: the text is tokenized once, and only seams are counted again.
package chunk
