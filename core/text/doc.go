// Package text says what a file's bytes are as text, and where text may be cut: lines, paragraphs, sentences, words and
// graphemes. Those cuts are the core's, never a plugin's (A6, A10).
//
// Sequences of spans partition the text they are given: the first begins at 0, each begins where the one before ended,
// the last ends at len(text), none is empty. Spans are half-open ranges of bytes. All work is linear in the text's
// length, whatever it holds. Text is valid UTF-8, as Decode has found it; on other bytes the functions still partition.
//
// Words and graphemes follow UAX #29 (Unicode Text Segmentation). Sentences follow it too, with what plain UAX #29
// cannot know: abbreviations, numbering and hard-wrapped lines.
package text
