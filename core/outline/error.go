package outline

import "fmt"

// Rule names what an outline broke.
type Rule string

// The rules.
const (
	RuleText      Rule = "text"      // the text is valid UTF-8
	RuleCount     Rule = "count"     // counts and lengths are within bounds
	RuleKind      Rule = "kind"      // kinds, roles, cuts, reasons, codes and attribute keys are of the closed lists
	RuleDepth     Rule = "depth"     // pre-order: the first depth is 0, each at most one more than the one before
	RuleRange     Rule = "range"     // spans lie inside the text
	RuleEmpty     Rule = "empty"     // units, skips and contexts hold at least a byte
	RuleBoundary  Rule = "boundary"  // no end of a span cuts a UTF-8 character
	RuleNesting   Rule = "nesting"   // a unit lies inside its parent
	RuleOrder     Rule = "order"     // siblings, cells, skips and segments are in order and do not overlap
	RuleName      Rule = "name"      // names are trimmed, of one line, valid UTF-8
	RuleAttribute Rule = "attribute" // attribute values have their key's form
	RuleSegment   Rule = "segment"   // segments agree with the kind of text
)

// Error says which rule an outline broke, at which unit (-1: none) and at which byte of what the splitter was given or
// made.
type Error struct {
	Rule   Rule
	Unit   int
	Offset int64
	Why    string
}

func (e *Error) Error() string {
	if e.Unit < 0 {
		return fmt.Sprintf("outline breaks rule %q at offset %d: %s", e.Rule, e.Offset, e.Why)
	}
	return fmt.Sprintf("outline breaks rule %q at unit %d, offset %d: %s", e.Rule, e.Unit, e.Offset, e.Why)
}

func broken(rule Rule, unit, offset int, format string, args ...any) *Error {
	return &Error{Rule: rule, Unit: unit, Offset: int64(offset), Why: fmt.Sprintf(format, args...)}
}
