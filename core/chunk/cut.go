package chunk

import (
	"bytes"

	"github.com/cleave-project/cleave/core/outline"
	"github.com/cleave-project/cleave/sdk"
)

// maxNesting is how deep units are cut at their children. Deeper ones are cut as text: nothing that people write nests
// so deep, and the recursion stays small whatever a plugin says.
const maxNesting = 500

// cutAtom cuts a at its own cut points. Its first piece begins with the leads.
func (k *packer) cutAtom(leads []atom, a *atom) error {
	if a.unit < 0 {
		return k.cutText(leads, a, looseText)
	}
	u := &k.tree.units[a.unit]
	switch {
	case k.isRow(a.unit):
		return k.cutRow(leads, a)
	case k.atChildren(a.unit):
		return k.pack(append(append([]atom(nil), leads...), k.children(*a)...), cuts)
	}
	return k.cutText(leads, a, waysOf(u))
}

// atChildren holds for units that are cut between their children.
func (k *packer) atChildren(unit int) bool {
	if unit < 0 || k.isRow(unit) {
		return false
	}
	u := &k.tree.units[unit]
	return u.Cut == sdk.CutChildren && k.tree.hasChildren(unit) && u.Depth < maxNesting
}

// isRow holds for rows that are cut between cells.
func (k *packer) isRow(unit int) bool {
	return unit >= 0 && k.tree.units[unit].Kind == sdk.KindRow && len(k.tree.units[unit].Cells) > 0
}

func (k *packer) neverCut(unit int) bool {
	return unit >= 0 && k.tree.units[unit].Cut == sdk.CutNever
}

// ways is how a text is cut: at which levels, and what of it pieces repeat.
type ways struct {
	levels []level
	repeat level // byGap: nothing
	late   bool  // as late as possible: no anchor
}

// The ways, never changed: loose text knows no units, so it has paragraphs; prose has sentences before lines, code the
// other way round.
var (
	looseText = ways{levels: []level{byParagraph, byLine, bySentence, byGap, byWord, byGrapheme}, repeat: bySentence}
	proseText = ways{levels: []level{bySentence, byLine, byGap, byWord, byGrapheme}, repeat: bySentence}
	codeText  = ways{levels: []level{byLine, bySentence, byGap, byWord, byGrapheme}, repeat: byLine}
	wordText  = ways{levels: []level{byGap, byWord, byGrapheme}, repeat: byGap}
	lateText  = ways{levels: []level{byGap, byWord, byGrapheme}, repeat: byGap, late: true}
)

// waysOf is how the text of a unit is cut. A unit that is to be cut at children or cells and has none is cut by what it
// is.
func waysOf(u *outline.Unit) ways {
	switch u.Cut {
	case sdk.CutLines:
		return codeText
	case sdk.CutSentences:
		return proseText
	case sdk.CutWords:
		return wordText
	case sdk.CutNever:
		return lateText
	}
	switch u.Kind {
	case sdk.KindCode, sdk.KindHTML, sdk.KindFunction, sdk.KindMethod, sdk.KindClass, sdk.KindType, sdk.KindImport,
		sdk.KindStatement, sdk.KindComment, sdk.KindFallback, sdk.KindFrontMatter, sdk.KindTable, sdk.KindRow:
		return codeText
	}
	return proseText
}

// reject refuses a document for a unit that does not fit (A5).
func (k *packer) reject(a *atom) error {
	kind, name := string(sdk.KindText), ""
	if a.unit >= 0 {
		kind, name = string(k.tree.units[a.unit].Kind), k.tree.name(a.unit)
	}
	if name == "" {
		line, _, _ := bytes.Cut(k.text[a.text.start:a.text.end], []byte("\n"))
		name = string(line[:runeFloor(line, min(len(line), 40))])
	}
	first, last := k.linesOf(a.text)
	return sdk.Errorf(sdk.CodeOversizeRejected, "%s %q (lines %d-%d) has %d tokens, the budget is %d with %d for special tokens, and the rule says oversize = \"reject\"",
		kind, name, first, last, k.whole.Count(a.text.start, a.text.end), k.policy.MaxTokens, k.tok.Special())
}
