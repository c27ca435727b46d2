// Package token counts tokens exactly as the models do that will read the chunks (A5, A6, I5).
//
// A Tokenizer is opened by name: "o200k_base" and "cl100k_base" are the published byte pair encodings with their
// published vocabularies, "wordpiece:FILE" is BERT's uncased WordPiece with the vocabulary in FILE, "words" counts
// runs of non-space. Counts equal those of the reference implementations, which the goldens under testdata hold: a
// budget that is kept here is kept by the model.
//
// # Pre-tokens
//
// Every tokenizer first cuts the text into pre-tokens and then treats each alone. Where the next pre-token ends depends
// on the text from its start on and on nothing before it. Two things follow, and Measured rests on them: tokens of
// consecutive pre-tokens add up; and two tokenizations that come to the same position agree from there on, as long as
// the same text follows. So a document is tokenized once, and the tokens of any of its slices are found by tokenizing
// again only near the slice's two ends.
//
// Positions are byte offsets, spans half-open. Everything here is safe for use by several goroutines at once, and
// nothing keeps the text it was given, except a Measured, which holds the text it measures.
package token
