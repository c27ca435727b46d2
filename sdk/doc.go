// Package sdk is the contract between cleave and a splitter plugin. It imports the standard library only.
//
// A splitter knows a format. It is handed a file's content and says how it is built: an Outline of units, skipped
// spans, metadata and warnings. It never counts tokens, never sees a budget, never opens a file and is never told a
// path. The core checks everything an outline says and packs it into chunks, the same way for every format.
//
// All positions are half-open byte ranges (Span). They count bytes of the outline's text: the content the splitter
// was given, or Outline.Text where the splitter extracted a text of its own. Skips and warnings count bytes of the
// content.
//
// # Nesting
//
// Units come in pre-order, each with a depth. The first unit has depth 0; a unit's depth is at most one more than
// the depth of the unit before it. A unit lies inside its parent. Siblings are in order and do not overlap. No unit
// is empty, and no end of a unit cuts a UTF-8 character. Bytes between siblings belong to the sibling on the same
// line, else to the one before; bytes before the first child belong to it. A flat list is a valid outline and so is
// an empty one: the core then cuts the text by paragraphs, lines, sentences and words.
//
// A section is a unit of kind Section whose first child is its Heading. A decorated definition is one unit. A
// comment belongs to what follows it without a blank line. A table is a unit of kind Table whose children are Rows
// with Cells; the spans of its header rows are its Context with RoleHeader (a Markdown header span includes the
// delimiter row), and the rows inside those spans are header rows.
//
// # Determinism
//
// Equal content, media type and language give equal outlines, in any order of calls, in any process.
package sdk
