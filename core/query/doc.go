// Package query answers questions: it matches, filters, ranks, expands, merges and keeps to a token budget (D1-D4).
//
// # From match to passage
//
//  1. Match. Each source's index gives its best chunks. Filters and the caller's admission are applied inside that
//     search, before ranking (I10). Terms are weighed by their counts over all sources asked, so scores compare.
//  2. Order. By score, with a discount for each match that the same document, and to a lesser degree the same source,
//     already has before it: an answer is not ten chunks of one page as long as others match about as well. Ties are
//     ordered by source, path and place.
//  3. Pack. Matches enter as their own chunk, in order, into two thirds of the budget (all of it where nothing is to be
//     expanded). Then passages grow, by whole chunks and with equal shares, to their window or section. Then further
//     matches take what is left. Passages of one document that overlap or touch become one, in the place of the better
//     match. (On 276 labelled questions about three long texts in chunks of 1,200 bytes, 800 tokens of answer hold 86 %
//     of the labelled bytes with two thirds for the matches, 79 % with one half and 90 % without any expansion; with
//     1,600 tokens it is 94 to 96 % either way.)
//
// A passage is a slice of the document's text from the start of one chunk to the end of another: never half a chunk. Its
// tokens are counted exactly, by the tokenizer of the document's policy, over that slice, without special tokens. The
// sum is at most the budget. A match that does not fit is passed over for the next one.
//
// Everything comes from the pins it was given (I9). Admission is asked again when a match becomes a passage.
package query
