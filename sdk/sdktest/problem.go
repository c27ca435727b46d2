package sdktest

import (
	"fmt"

	"github.com/cleave-project/cleave/sdk"
)

// Rule names one promise of the contract.
type Rule string

// The rules.
const (
	// RuleAnswers: a file gives an outline, or an *sdk.Error with a code of the list and one line of message, in time.
	RuleAnswers Rule = "answers"
	// RuleInfo: Info is valid, and always the same.
	RuleInfo Rule = "info"
	// RuleDeterministic: equal content, media type and language give equal outlines.
	RuleDeterministic Rule = "deterministic"
	// RuleReturnsOwn: neither is the content changed nor does the outline live in its memory.
	RuleReturnsOwn Rule = "returns-own"
	// RuleUTF8: the text and every string are valid UTF-8.
	RuleUTF8 Rule = "utf8"
	// RuleRange: a span is not empty (a cell may be) and lies inside what it counts bytes of.
	RuleRange Rule = "range"
	// RuleBoundary: no end of a span cuts a UTF-8 character.
	RuleBoundary Rule = "boundary"
	// RuleDepth: the first unit has depth 0, the others at most one more than the one before.
	RuleDepth Rule = "depth"
	// RuleNested: a unit lies inside its parent, a cell inside its row.
	RuleNested Rule = "nested"
	// RuleOrdered: siblings, cells, skips and segments are in order and do not overlap.
	RuleOrdered Rule = "ordered"
	// RuleList: kinds, cuts, roles, attribute keys, skip reasons, warning codes and error codes are of sdk's lists.
	RuleList Rule = "list"
	// RuleName: a unit's name is trimmed and has no line breaks.
	RuleName Rule = "name"
	// RuleSection: the first child of a section is its heading.
	RuleSection Rule = "section"
	// RuleTable: the children of a table are rows; only rows have cells.
	RuleTable Rule = "table"
	// RuleAttr: an attribute has the form that its key says.
	RuleAttr Rule = "attr"
	// RuleSegments: segments stand beside an extracted text; beside the content itself they only mark pages and cells.
	RuleSegments Rule = "segments"
	// RuleCoverage: every byte of the content that is not white space is assigned: to a unit, to a segment of an
	// extracted text, or to a skip.
	RuleCoverage Rule = "coverage"
)

// Problem is one broken rule.
type Problem struct {
	// File is the file's name in the corpus.
	File string
	// Offset is where: a byte of the text or, for skips, warnings and coverage, of the content. 0 where the rule has
	// no place.
	Offset int
	Rule   Rule
	// Detail says what was found, as one line.
	Detail string
}

func (p Problem) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", p.File, p.Offset, p.Rule, p.Detail)
}

// report collects problems. The zero value is ready.
type report struct {
	problems []Problem
	dropped  int
}

// perFile bounds what one file may report: one mistake in a loop would give a line for each unit.
const perFile = 50

func (r *report) add(rule Rule, offset int, format string, args ...any) {
	if len(r.problems) == perFile {
		r.dropped++
		return
	}
	r.problems = append(r.problems, Problem{Offset: offset, Rule: rule, Detail: fmt.Sprintf(format, args...)})
}

// finish names the file everywhere.
func (r *report) finish(file string) []Problem {
	if r.dropped > 0 {
		last := &r.problems[len(r.problems)-1]
		last.Detail += fmt.Sprintf(" (and %d more problems in this file)", r.dropped)
	}
	for i := range r.problems {
		r.problems[i].File = file
	}
	return r.problems
}

// span checks range and boundary of s in text. Nothing else is worth checking where it returns false.
func (r *report) span(what string, s sdk.Span, text []byte) bool {
	if s.Start < 0 || s.End > len(text) || s.Start >= s.End {
		r.add(RuleRange, s.Start, "%s [%d,%d) of %d bytes", what, s.Start, s.End, len(text))
		return false
	}
	r.boundary(what, s, text)
	return true
}

// boundary checks the ends of a span that is in range.
func (r *report) boundary(what string, s sdk.Span, text []byte) {
	for _, at := range []int{s.Start, s.End} {
		if at < len(text) && text[at]&0xC0 == 0x80 { // a continuation byte
			r.add(RuleBoundary, at, "%s [%d,%d) cuts a character", what, s.Start, s.End)
		}
	}
}
