package sdk

// Kind is what a unit is. The list is closed; new kinds are added here and in the documentation together.
type Kind string

// The kinds.
const (
	KindSection     Kind = "section"
	KindHeading     Kind = "heading"
	KindParagraph   Kind = "paragraph"
	KindList        Kind = "list"
	KindItem        Kind = "item"
	KindQuote       Kind = "quote"
	KindCode        Kind = "code"
	KindTable       Kind = "table"
	KindRow         Kind = "row"
	KindHTML        Kind = "html"
	KindFrontMatter Kind = "front_matter"
	KindFunction    Kind = "function"
	KindMethod      Kind = "method"
	KindClass       Kind = "class"
	KindType        Kind = "type"
	KindImport      Kind = "import"
	KindStatement   Kind = "statement"
	KindComment     Kind = "comment"
	KindTurn        Kind = "turn"
	KindClause      Kind = "clause"
	KindCell        Kind = "cell"
	KindSheet       Kind = "sheet"
	KindSlide       Kind = "slide"
	KindFallback    Kind = "fallback"
	KindText        Kind = "text"
)

// Kinds lists every kind.
func Kinds() []Kind {
	return []Kind{KindSection, KindHeading, KindParagraph, KindList, KindItem, KindQuote, KindCode, KindTable, KindRow, KindHTML, KindFrontMatter, KindFunction,
		KindMethod, KindClass, KindType, KindImport, KindStatement, KindComment, KindTurn, KindClause, KindCell, KindSheet, KindSlide, KindFallback, KindText}
}

// Role is why a context span is repeated.
type Role string

// The roles.
const (
	RoleHeader    Role = "header"
	RoleKey       Role = "key"
	RoleImport    Role = "import"
	RoleSignature Role = "signature"
	RoleLead      Role = "lead"
)

// Roles lists every role.
func Roles() []Role { return []Role{RoleHeader, RoleKey, RoleImport, RoleSignature, RoleLead} }

// AttrKey names an attribute of a unit.
type AttrKey string

// The attribute keys. Columns is the column names as a JSON array of strings; Row is a row's number, 1-based, header rows not
// counted; Rows is a table's number of rows without header rows; KeyColumns is the 0-based numbers of the key columns,
// joined by commas; Level is a heading's level; Ordered is "true" for an ordered list; Info is a fence's info string.
const (
	AttrColumns    AttrKey = "columns"
	AttrRow        AttrKey = "row"
	AttrRows       AttrKey = "rows"
	AttrKeyColumns AttrKey = "key_columns"
	AttrSpeaker    AttrKey = "speaker"
	AttrTime       AttrKey = "time"
	AttrPage       AttrKey = "page"
	AttrLevel      AttrKey = "level"
	AttrOrdered    AttrKey = "ordered"
	AttrInfo       AttrKey = "info"
	AttrSheet      AttrKey = "sheet"
)

// AttrKeys lists every attribute key.
func AttrKeys() []AttrKey {
	return []AttrKey{AttrColumns, AttrRow, AttrRows, AttrKeyColumns, AttrSpeaker, AttrTime, AttrPage, AttrLevel,
		AttrOrdered, AttrInfo, AttrSheet}
}

// SkipReason is why a span is left out.
type SkipReason string

// The skip reasons. SkipBOM is given by the core.
const (
	SkipBOM           SkipReason = "bom"
	SkipFrontMatter   SkipReason = "front_matter"
	SkipBoilerplate   SkipReason = "boilerplate"
	SkipRunningHeader SkipReason = "running_header"
	SkipRunningFooter SkipReason = "running_footer"
	SkipPageNumber    SkipReason = "page_number"
	SkipMarkup        SkipReason = "markup"
	SkipBinaryData    SkipReason = "binary_data"
)

// SkipReasons lists every skip reason.
func SkipReasons() []SkipReason {
	return []SkipReason{SkipBOM, SkipFrontMatter, SkipBoilerplate, SkipRunningHeader, SkipRunningFooter,
		SkipPageNumber, SkipMarkup, SkipBinaryData}
}

// WarningCode is what kind of oddity a warning reports.
type WarningCode string

// The warning codes.
const (
	WarnUnclosedFence   WarningCode = "unclosed_fence"
	WarnRaggedRow       WarningCode = "ragged_row"
	WarnDuplicateColumn WarningCode = "duplicate_column"
	WarnInvalidUTF8     WarningCode = "invalid_utf8"
	WarnSyntaxError     WarningCode = "syntax_error"
	WarnSniffedDialect  WarningCode = "sniffed_dialect"
	WarnGuessedEncoding WarningCode = "guessed_encoding"
	WarnEmpty           WarningCode = "empty"
)

// WarningCodes lists every warning code.
func WarningCodes() []WarningCode {
	return []WarningCode{WarnUnclosedFence, WarnRaggedRow, WarnDuplicateColumn, WarnInvalidUTF8, WarnSyntaxError,
		WarnSniffedDialect, WarnGuessedEncoding, WarnEmpty}
}

// Cut says where a unit may be cut when it exceeds a budget. Sentences, words and graphemes are found by the core,
// never by a plugin. When pieces are still too large the core goes on to the next finer cut: lines, sentences, words,
// graphemes.
type Cut string

// The cuts.
const (
	CutChildren  Cut = "children"
	CutCells     Cut = "cells"
	CutLines     Cut = "lines"
	CutSentences Cut = "sentences"
	CutWords     Cut = "words"
	// CutNever marks what has no good cut. A budget is still a budget: over it, the core cuts as late as it can.
	CutNever Cut = "never"
)

// Cuts lists every cut.
func Cuts() []Cut {
	return []Cut{CutChildren, CutCells, CutLines, CutSentences, CutWords, CutNever}
}
