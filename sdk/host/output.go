package host

import (
	"bytes"
	"cmp"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// lineLimit is how much of a line is kept: enough for a message, too little to fill a log.
	lineLimit = 512
	// lineBurst lines may come at once, then one each lineEvery; with the service's bound of 1000 lines in 30 s in
	// mind, for a dozen processes.
	lineBurst = 40
	lineEvery = time.Second
)

// output takes what a process prints: it keeps the lines that tell most and passes lines on to the log,
// bounded.
// It is safe for several goroutines.
type output struct {
	log *slog.Logger

	mu sync.Mutex
	// The rest is guarded by mu.
	line    []byte
	long    bool
	first   string
	last    string
	panicAt string
	allowed int
	refill  time.Time
	dropped int
}

func newOutput(log *slog.Logger) *output {
	return &output{log: log, allowed: lineBurst, refill: time.Now()}
}

// Write never fails and never blocks on anything but the log.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for rest := p; len(rest) > 0; {
		part, after, ended := bytes.Cut(rest, []byte{'\n'})
		o.appendLocked(part)
		if ended {
			o.endLineLocked()
		}
		rest = after
	}
	return len(p), nil
}

func (o *output) appendLocked(part []byte) {
	if room := lineLimit - len(o.line); len(part) > room {
		part, o.long = part[:room], true
	}
	o.line = append(o.line, part...)
}

func (o *output) endLineLocked() {
	text := escape(string(bytes.TrimRight(o.line, "\r")))
	if o.long {
		text += "..."
	}
	o.line, o.long = o.line[:0], false
	if strings.TrimSpace(text) == "" {
		return
	}
	if o.first == "" {
		o.first = text
	}
	o.last = text
	if o.panicAt == "" && (strings.HasPrefix(text, "panic: ") || strings.HasPrefix(text, "fatal error: ")) {
		o.panicAt = text
	}
	o.logLocked(text)
}

func (o *output) logLocked(text string) {
	if earned := int(time.Since(o.refill) / lineEvery); earned > 0 {
		o.allowed = min(o.allowed+earned, lineBurst)
		o.refill = o.refill.Add(time.Duration(earned) * lineEvery)
	}
	if o.allowed == 0 {
		o.dropped++
		return
	}
	o.allowed--
	o.reportDroppedLocked()
	o.log.Info("plugin output", "line", text)
}

func (o *output) reportDroppedLocked() {
	if o.dropped > 0 {
		o.log.Info("plugin output dropped", "lines", o.dropped)
		o.dropped = 0
	}
}

// end is called when no more is to come.
func (o *output) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.line) > 0 {
		o.endLineLocked()
	}
	o.reportDroppedLocked()
}

// opening is the first line: what a program that is no plugin greets with, or why a plugin does not start.
func (o *output) opening() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.first
}

// dying is the line that says most about a death: that of a Go panic, which comes before its stack, else the last, where
// other languages put the error.
func (o *output) dying() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return cmp.Or(o.panicAt, o.last)
}

// escape makes s safe for logs and terminals: one line, no control characters.
func escape(s string) string {
	quoted := strconv.QuoteToGraphic(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// oneLine escapes a plugin's own message and bounds it.
func oneLine(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > lineLimit {
		s = s[:lineLimit] + "..."
	}
	return escape(s)
}
