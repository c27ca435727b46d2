package sdk

// Span is a half-open range of bytes.
type Span struct {
	Start, End int
}

// Len is the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Contains tells whether t lies inside s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// Outline is what a splitter says about a document.
type Outline struct {
	// Title is the document's own title (front matter, document properties), or its first heading where the format
	// has no other. It never comes from a file name.
	Title string
	// Language is a BCP 47 tag or a programming language's name, where the document says it or the format implies
	// it. Empty: unknown.
	Language string
	// Meta holds flat front matter and document properties. Nested values are given with dotted keys, lists as
	// values joined by ", ".
	Meta map[string]string
	// Text is the extracted text, UTF-8. Nil: the content is the text, and all spans count its bytes.
	Text []byte
	// Segments map an extracted text to its source: ordered, monotone in Text. Empty where Text is nil, except for
	// page and cell marks.
	Segments []Segment
	// Units in pre-order; see the package documentation for nesting.
	Units []Unit
	// Skips are spans of the content that no chunk shall hold, each with a reason; ordered, not overlapping.
	Skips []Skip
	// Warnings say what was odd. They do not fail the document.
	Warnings []Warning
}

// Unit is a node of an outline.
type Unit struct {
	// Depth in the tree; 0 for top-level units.
	Depth int
	Kind  Kind
	Span  Span
	// Name is the unit's element of the breadcrumb, trimmed, without line breaks. Empty: the unit adds none.
	Name string
	// Lang is set where the unit's language differs from the document's (a fence, a script block).
	Lang string
	// Context is repeated in every chunk that holds a part of this unit but not the context's own span.
	Context []Context
	// Cut says where the unit may be cut when it exceeds a budget.
	Cut Cut
	// Clings: the unit stays with its next sibling (a heading, a decorator, a lead-in line).
	Clings bool
	// Border: nothing joins across the unit's ends.
	Border bool
	// Cells of a row, in order, not overlapping, inside Span.
	Cells []Cell
	// Attrs has keys of the closed list of attribute keys.
	Attrs map[AttrKey]string
}

// Context is a span of the same text that must be repeated when a unit is cut or stands away from it. Each import is
// a span of its own, and only those the unit uses are given.
type Context struct {
	Span Span
	Role Role
}

// Cell is one cell of a row. Span is the cell's content without the format's delimiters and padding (it may be
// empty); Value is what a reader of the table sees, unescaped.
type Cell struct {
	Span  Span
	Value string
}

// Segment maps a span of the extracted text to the source. Source is a byte range of the content, or the zero Span
// where the format has no byte addresses. A segment whose spans differ in length is atomic.
type Segment struct {
	Text   Span
	Source Span
	// Page is 1-based; 0: none.
	Page int
	// Cell is a spreadsheet or notebook cell ("B7", "3"). Empty: none.
	Cell string
}

// Skip is a span of the content that is left out, with the reason.
type Skip struct {
	Span   Span
	Reason SkipReason
}

// Warning is something odd that does not fail the document. The zero Span means the whole document.
type Warning struct {
	Code    WarningCode
	Message string
	Span    Span
}
