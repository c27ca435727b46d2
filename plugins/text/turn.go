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

// turn is where one speaker begins to speak.
type turn struct {
	start         int
	speaker, time string
}

// form is one way in which a conversation is written down. Its groups are named "who" and "when".
type form struct {
	name    string
	pattern *regexp.Regexp
}

const (
	// clock is a time of day, with a date before it where there is one.
	clock = `(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?[ T]+)?\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,6})?)?(?:[ \x{202f}]?[AaPp]\.?[Mm]\.?)?Z?`
	// name is up to five words of letters, digits and the signs that names have.
	name = `[\p{L}\p{N}_@.'’&#-]+(?: [\p{L}\p{N}_@.'’&()#-]+){0,4}`
)

// forms are the forms of a conversation with times, then the one without.
var forms = []form{
	{"bracketed time", regexp.MustCompile(`^[ \t]*\[(?P<when>` + clock + `)\] *(?:<(?P<who>` + name + `)>|(?P<who>` + name + `):)(?:[ \t]|$)`)},
	{"time first", regexp.MustCompile(`^[ \t]*\(?(?P<when>` + clock + `)\)? +(?:[-–—|] +)?(?:<(?P<who>` + name + `)>|(?P<who>` + name + `):)(?:[ \t]|$)`)},
	{"time behind", regexp.MustCompile(`^(?P<who>` + name + `),? +[\[(](?P<when>` + clock + `)[\])] *:?(?:[ \t]|$)`)},
	{"time alone behind", regexp.MustCompile(`^(?P<who>` + name + `)(?:  +|\t+| [-–—|·,] )(?P<when>` + clock + `)[ \t]*$`)},
	{"speaker", regexp.MustCompile(`^(?:\*\*)?(?P<who>` + name + `)(?:\*\*)?[:：](?:\*\*)?(?:[ \t]|$)`)},
}

const (
	// minTurns is how many turns make a conversation; two lines may be alike by chance.
	minTurns = 3
	// minSpoken is how many turns make one where no line has a time.
	minSpoken = 4
)

// turns finds the turns of a conversation, nil where the text is none. All turns have the same form.
func turns(src []byte) []turn {
	for i, f := range forms {
		ts, blocks := f.find(src)
		timed := i < len(forms)-1
		if convincing(ts, blocks, timed) {
			return ts
		}
	}
	return nil
}

// find gives the lines that begin a turn in this form, and how many blocks the text has.
func (f form) find(src []byte) (ts []turn, c counts) {
	gap := true
	for at := 0; at < len(src); {
		l := lineAt(src, at)
		at = l.next
		if l.blank(src) {
			gap = true
			continue
		}
		t, ok := f.match(l, src)
		c.lines++
		if gap {
			c.blocks++
		}
		if ok {
			ts = append(ts, t)
			if gap {
				c.led++
			}
		}
		gap = false
	}
	return ts, c
}

// counts are lines that are not blank, blocks of them, and blocks that begin with a turn.
type counts struct{ lines, blocks, led int }

func (f form) match(l line, src []byte) (turn, bool) {
	head := l.head(src)
	if bytes.IndexByte(head, ':') < 0 && !bytes.Contains(head, []byte("：")) {
		return turn{}, false
	}
	m := f.pattern.FindSubmatch(head)
	if m == nil {
		return turn{}, false
	}
	t := turn{start: l.start}
	for i, g := range f.pattern.SubexpNames() {
		switch {
		case g == "who" && len(m[i]) > 0:
			t.speaker = string(m[i])
		case g == "when":
			t.time = strings.ReplaceAll(string(m[i]), "\u202f", " ")
		}
	}
	return t, !slices.Contains(levels, t.speaker)
}

// levels are what stands in a program's log where a speaker would.
var levels = []string{"TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "FATAL", "CRITICAL",
	"trace", "debug", "info", "notice", "warn", "warning", "error", "fatal", "critical",
	"Trace", "Debug", "Info", "Notice", "Warn", "Warning", "Error", "Fatal", "Critical"}

// convincing tells whether lines that look like turns make a conversation. With times: most blocks begin with a turn, or
// every third line is one. Without: most blocks or lines are turns, names look like names, and speakers come back, as
// they do in a conversation and not in a list of fields.
func convincing(ts []turn, c counts, timed bool) bool {
	if timed {
		return len(ts) >= minTurns && (2*c.led >= c.blocks && c.led >= minTurns || 3*len(ts) >= c.lines)
	}
	speakers := map[string]int{}
	for _, t := range ts {
		if !namelike(t.speaker) {
			return false
		}
		speakers[t.speaker]++
	}
	most := 3*c.led >= 2*c.blocks && c.led >= minSpoken || 3*len(ts) >= 2*c.lines
	return len(ts) >= minSpoken && len(speakers) >= 2 && 2*len(speakers) <= len(ts) && most
}

// namelike tells whether a speaker without a time is written as a name: no small letter first.
func namelike(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return !unicode.IsLower(r)
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
