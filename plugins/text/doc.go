// Command cleave-plugin-text describes plain text: paragraphs between blank lines, lists, numbered clauses of legal
// text and turns of a conversation (A10). It is the fallback for every text that no other plugin claims.
//
// What a text is made of is guessed from several lines that agree, never from one: three clauses numbered in order,
// several turns in the same form. Where they do not agree there are paragraphs only, and a paragraph is always right.
// Hard-wrapped lines are one paragraph; sentences are the core's.
//
// Everything is one pass or two over the lines, and no pattern looks further than the start of a line, so that time
// grows with the size of the file alone.
package main
