// Command cleave-plugin-markdown describes Markdown files: CommonMark 0.31.2 with GFM tables and footnotes, and front
// matter in YAML or TOML (A7).
//
// Blocks are found by goldmark; everything else here turns its tree into units whose spans are bytes of the content.
// Three things keep the spans exact. The parser reads a copy of the same length in which every line ends in LF, so a
// lone CR ends a line and no offset moves (CommonMark section 2.1). Front matter is cut off first and its length added
// to every offset. Block parsers are wrapped where goldmark's positions are not those of the source.
//
// Headings of the document open sections; a heading within a quote or an item is a part of that quote or item. Inline
// markup is parsed for the names of headings and the values of cells alone: everything else keeps its bytes.
package main
