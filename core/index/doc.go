// Package index holds the words of one source's chunks and finds chunks by them: a scorch index (the engine beneath
// bleve) with our own analyzer, our own rows and our own BM25. It follows a source's generations and can be deleted at
// any time (I11). It never decides what a caller may see: it asks, before ranking (I10).
//
// # Rows
//
// A row is words, not a place in a generation. Its key is made of the path and of what is analysed: kind, language,
// breadcrumb and text (by the chunk's Words hash), the title where it is embedded, and the analyzer's version. A row is
// written once, never changed, and shared by all generations in which those words stand at that path, whatever their
// offsets.
//
//	key: 24 bytes   [0,16) SHA-256(path)   [16,24) SHA-256(version, words, title)
//
// A row has three fields, none of them stored, without positions and without doc values: text, breadcrumb and path. What
// is stored of it is how many terms each of them has.
//
// # Views
//
// What is alive, where, under which access and dates is in a View: an immutable value of one generation, built from its
// tree, advanced by the difference of two trees, and applied inside the search. So no order of batches can show a
// mixture of generations, and a changed permission rewrites no row.
//
// # Scores
//
// A score is made of the query, of the row, and of what is counted over the rows of the view's generation alone: how many
// they are, how many hold a term, and how long their fields are on average. What else is in the index, because it waits
// for Sweep or someone holds it, does not show. So the same tree is ranked in the same way with any history (I8, I11).
//
// # Order of a move
//
// Follow brings the new rows in, then moves the mark in the last batch: the mark names a generation all of whose rows
// are there. Rows go out later, in Sweep, which spares every row of a view that someone holds (Hold, Ensure) and of the
// marked generation. A crash between any two steps leaves rows too many, never too few, and Sweep finds them.
//
// # Use of bleve
//
// Only the engine is used (index/scorch), not bleve's top package: its registry of analyzers is global state, its
// mapping layer and composite fields cost what we do not need, and its BM25 takes the number of distinct terms for the
// length of a field. Here documents come analysed and the postings are scored by us.
package index
