package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/cleave-project/cleave/core/control"
)

// piece is a chunk as the claims see it.
type piece struct {
	start, end int // of the stored file
	read       string
	embed      string
	breadcrumb []string
	tokens     int
}

// splitFile calls `cleave split --json` and gives the answer, or fails.
func splitFile(t *testing.T, s served, e *expect, file, tokenizer string) control.SplitAnswer {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), e.limit()+patience)
	defer stop()
	cmd := exec.CommandContext(ctx, s.cleave, "split", file, "--json", "--embed-text", "--outline", "--tokenizer", tokenizer,
		"--max-tokens", strconv.Itoa(e.MaxTokens), "--overlap", strconv.Itoa(e.Overlap))
	cmd.Env = append(cmd.Environ(), "CLEAVE_SOCKET="+s.socket)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var a control.SplitAnswer
	if jsonErr := json.Unmarshal(stdout.Bytes(), &a); jsonErr != nil {
		t.Fatalf("%v, no JSON (%v): %s", err, jsonErr, ending(stderr.String()))
	}
	if (a.Error != nil) != (exit != nil) {
		t.Errorf("error %v with exit %v", a.Error, exit)
	}
	return a
}

func ending(s string) string { return s[max(0, len(s)-400):] }

// pieces is the answer's chunks, each with its range in the stored file. The text of one whose coordinates are
// extracted is not a slice of the file.
func pieces(a control.SplitAnswer) []piece {
	var out []piece
	for _, c := range a.Chunks {
		p := piece{start: int(c.Start), end: int(c.End), read: c.Text, embed: c.EmbedText, breadcrumb: c.Breadcrumb, tokens: c.Tokens}
		if c.Coords == "extracted" {
			p.start, p.end = origin(c, p.start, p.end)
		}
		out = append(out, p)
	}
	return out
}

// origin is the range of the file that a chunk comes from, or the one given where there are no byte addresses.
func origin(c control.Chunk, start, end int) (int, int) {
	first := true
	for _, o := range c.Origin {
		if o.Start == nil || o.End == nil {
			continue
		}
		if first {
			start, end, first = int(*o.Start), int(*o.End), false
		}
		start, end = min(start, int(*o.Start)), max(end, int(*o.End))
	}
	return start, end
}

// decodings is what b may read as.
func (e *expect) decodings(b []byte) []string {
	names := e.Encoding
	if names == nil {
		names = []string{"utf-8"}
	}
	var out []string
	for _, n := range names {
		switch n {
		case "utf-8":
			if utf8.Valid(b) {
				out = append(out, string(b))
			}
		case "utf-8-replace":
			out = append(out, string([]rune(string(b))), decoded(unicode.UTF8, b))
		case "latin-1":
			out = append(out, decoded(charmap.ISO8859_1, b))
		case "cp1252":
			out = append(out, decoded(charmap.Windows1252, b))
		case "utf-16-le":
			out = append(out, decoded(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), b))
		}
	}
	return out
}

// decoded is b in that encoding; what is wrong in it becomes U+FFFD.
func decoded(enc encoding.Encoding, b []byte) string {
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		return ""
	}
	return string(out)
}

// plainUTF8 holds where the text of a range is the bytes of that range.
func (e *expect) plainUTF8() bool {
	return e.Coords != "extracted" && (e.Encoding == nil || len(e.Encoding) == 1 && e.Encoding[0] == "utf-8")
}

// has tells whether s stands in text, or does but for runs of white space.
func has(text, s string) bool {
	return strings.Contains(text, s) || !strings.Contains(s, "\n") && strings.Contains(fold(text), fold(s))
}

// fold makes each run of white space one blank.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }
