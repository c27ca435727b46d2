package main

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cleave-project/cleave/sdk"
)

// turn is where one speaker begins to speak: its line, and the text behind the speaker.
type turn struct {
	start, text   int
	speaker, time string
}

// form is one way in which a conversation is written down. Its groups are named "who" and "when"; sign is what a line
// must hold before the pattern is tried, since few lines do and patterns are slow.
type form struct {
	sign    sign
	pattern *regexp.Regexp
}

// sign is what a line holds: a time of day, a name in angle brackets, a name with a colon.
type sign uint8

const (
	hasClock sign = 1 << iota
	hasAngle
	hasColon
)

const (
	// clock is a time of day, with a date before it where there is one.
	clock = `(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?[ T]+)?\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,6})?)?(?:[ \x{202f}]?[AaPp]\.?[Mm]\.?)?(?:Z|[+-]\d{2}:?\d{2})?`
	// name is up to five words of letters, digits and the signs that names have.
	name = `[\p{L}\p{N}_@.'’&#-]+(?: [\p{L}\p{N}_@.'’&()#-]+){0,4}`
)

// forms are the forms of a conversation: "[12:01] Anna: text", "12:01 - Anna: text", "Anna (12:01): text", "Anna
// 12:01: text", "Anna  12:01" alone on its line, and last those without times, "<anna> text" and "Anna: text".
var forms = []form{
	{hasClock, regexp.MustCompile(`^[ \t]*\[(?P<when>` + clock + `)\] *(?:<(?P<who>` + name + `)>|(?P<who>` + name + `):)(?:[ \t]|$)`)},
	{hasClock, regexp.MustCompile(`^[ \t]*\(?(?P<when>` + clock + `)\)? +(?:[-–—|] +)?(?:<(?P<who>` + name + `)>|(?P<who>` + name + `):)(?:[ \t]|$)`)},
	{hasClock, regexp.MustCompile(`^(?P<who>` + name + `),? +[\[(](?P<when>` + clock + `)[\])] *:?(?:[ \t]|$)`)},
	{hasClock, regexp.MustCompile(`^(?P<who>` + name + `),? +(?P<when>` + clock + `) *:(?:[ \t]|$)`)},
	{hasClock, regexp.MustCompile(`^(?P<who>` + name + `)(?:  +|\t+| [-–—|·,] )(?P<when>` + clock + `)[ \t]*$`)},
	{hasAngle, regexp.MustCompile(`^[ \t]*<(?P<who>` + name + `)>[ \t]`)},
	{hasColon, regexp.MustCompile(`^(?:\*\*)?(?P<who>` + name + `)(?:\*\*)?[:：](?:\*\*)?(?:[ \t]|$)`)},
}

const (
	// minTurns is how many turns make a conversation; two lines may be alike by chance.
	minTurns = 3
	// minSpoken is how many turns make one where no line has a time.
	minSpoken = 4
)

// tally is what one form found: the turns, and how many of them begin a block.
type tally struct {
	turns []turn
	led   int
}

// counts are a text's lines that are not blank, and its blocks of them.
type counts struct{ lines, blocks int }

// turns finds the turns of a conversation, nil where the text is none. All turns have the same form.
func turns(src []byte) []turn {
	found := make([]tally, len(forms))
	var c counts
	gap := true
	for at := 0; at < len(src); {
		l := lineAt(src, at)
		at = l.next
		if l.blank(src) {
			gap = true
			continue
		}
		c.lines++
		if gap {
			c.blocks++
		}
		tallyLine(found, l, gap, src)
		gap = false
	}
	for i, f := range found {
		if forms[i].sign == hasColon && f.spoken(c, src) || forms[i].sign != hasColon && f.marked(c) {
			return f.turns
		}
	}
	return nil
}

// tallyLine counts a line for each form it matches.
func tallyLine(found []tally, l line, gap bool, src []byte) {
	head := l.head(src)
	has := signs(head)
	for i, f := range forms {
		if f.sign&has == 0 {
			continue
		}
		if t, ok := f.match(l.start, head); ok {
			found[i].turns = append(found[i].turns, t)
			if gap {
				found[i].led++
			}
		}
	}
}

// maxSpeaker is how far into its line, in bytes, a speaker without a time reaches.
const maxSpeaker = 64

// signs tells what head holds. A name before a colon begins with no small letter.
func signs(head []byte) sign {
	var has sign
	for i, c := range head {
		switch {
		case c == ':' && i > 0 && i+1 < len(head) && isDigit(head[i-1]) && isDigit(head[i+1]):
			has |= hasClock
		case c == ':' && i < maxSpeaker, c == 0x9a && i >= 2 && i < maxSpeaker && head[i-2] == 0xef:
			has |= hasColon // 0x9a is the last byte of "："
		}
	}
	if 'a' <= head[0] && head[0] <= 'z' {
		has &^= hasColon
	}
	if head[0] == '<' || head[0] == ' ' || head[0] == '\t' {
		has |= hasAngle
	}
	return has
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (f form) match(start int, head []byte) (turn, bool) {
	m := f.pattern.FindSubmatchIndex(head)
	if m == nil {
		return turn{}, false
	}
	t := turn{start: start, text: start + m[1]}
	for i, g := range f.pattern.SubexpNames() {
		switch {
		case m[2*i] < 0:
		case g == "who":
			t.speaker = string(head[m[2*i]:m[2*i+1]])
		case g == "when":
			t.time = strings.ReplaceAll(string(head[m[2*i]:m[2*i+1]]), "\u202f", " ")
		}
	}
	return t, !slices.Contains(levels, strings.ToLower(t.speaker))
}

// levels are what stands in a program's log where a speaker would.
var levels = []string{"trace", "debug", "info", "notice", "warn", "warning", "error", "fatal", "critical"}

// marked tells whether lines with a time or a name in brackets make a conversation: most blocks begin with one, or every
// third line is one.
func (f tally) marked(c counts) bool {
	return len(f.turns) >= minTurns && (2*f.led >= c.blocks && f.led >= minTurns || 3*len(f.turns) >= c.lines)
}

// spoken tells whether lines without a time make a conversation and not a list of fields: speakers are written as names
// and come back, most of them end a sentence, and either nearly every turn is a block of its own, of most blocks, or
// turns follow each other line by line without a gap. Where all speakers are parts that are played in conversations, two
// turns do, and a turn may have any number of blocks.
func (f tally) spoken(c counts, src []byte) bool {
	speakers := map[string]bool{}
	ended, played := 0, true
	for _, t := range f.turns {
		if !namelike(t.speaker) {
			return false
		}
		speakers[t.speaker] = true
		played = played && isPart(t.speaker)
		if endsSentence(src[t.text:lineAt(src, t.text).end]) {
			ended++
		}
	}
	n := len(f.turns)
	if len(speakers) < 2 || 2*ended < n || !played && (n < minSpoken || 2*len(speakers) > n) {
		return false
	}
	apart := 5*f.led >= 4*n && (played || 2*f.led >= c.blocks)
	close := c.blocks <= 2 && 3*n >= 2*c.lines
	return apart || close
}

// endsSentence tells whether a text ends as a sentence does, also within quotes or brackets.
func endsSentence(text []byte) bool {
	text = bytes.TrimRight(text, " \t\"'”’»)]*")
	r, _ := utf8.DecodeLastRune(text)
	return strings.ContainsRune(".!?…。！？।؟", r)
}

// namelike tells whether a speaker without a time is written as a name: no small letter first.
func namelike(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return !unicode.IsLower(r)
}

// parts are who speaks where no names are given, in small letters: in talks with a model, in interviews and hearings.
var parts = []string{"user", "assistant", "system", "human", "ai", "bot", "speaker", "interviewer", "interviewee", "moderator",
	"customer", "agent", "q", "a", "question", "answer", "frage", "antwort"}

// isPart tells whether a speaker is one of the parts, with or without a number.
func isPart(speaker string) bool {
	return slices.Contains(parts, strings.ToLower(strings.TrimRight(speaker, " 0123456789")))
}

// turns adds turns with their paragraphs, and what stands before the first.
func (b *builder) turns(ts []turn, region sdk.Span) {
	b.prose(sdk.Span{Start: region.Start, End: ts[0].start}, 0)
	for i, t := range ts {
		if b.stopped() {
			b.add(sdk.KindText, sdk.CutSentences, 0, t.start, region.End)
			return
		}
		end := region.End
		if i+1 < len(ts) {
			end = ts[i+1].start
		}
		at := b.holder(sdk.KindTurn, sdk.Span{Start: t.start, End: end}, 0)
		u := &b.units[at]
		u.Name = t.speaker
		u.Attrs = map[sdk.AttrKey]string{sdk.AttrSpeaker: t.speaker}
		if t.time != "" {
			u.Attrs[sdk.AttrTime] = t.time
		}
	}
}

// holder adds a unit and, if it has more than one block, its paragraphs and lists, and gives its index. Its region
// begins with text.
func (b *builder) holder(k sdk.Kind, region sdk.Span, depth int) int {
	at := b.add(k, sdk.CutSentences, depth, region.Start, region.End)
	inner := b.units[at].Span
	b.prose(inner, depth+1)
	if len(b.units) == at+2 && b.units[at+1].Kind == sdk.KindParagraph {
		b.units = b.units[:at+1]
	} else {
		b.units[at].Cut = sdk.CutChildren
	}
	return at
}
