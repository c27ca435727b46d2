package text

import (
	"bytes"
	"unicode/utf8"

	"github.com/cleave-project/cleave/sdk"
)

// Decoded says how a file's bytes are text. So far they always are the text as they stand (coordinates "source").
// An encoding that has to be transcoded will bring a text of its own and the map back to the file (coordinates
// "extracted") as further fields.
type Decoded struct {
	// Encoding is "utf-8".
	Encoding string
	// Base is where the text begins: 3 after a byte order mark, which stays in the count of bytes and is skipped as
	// sdk.SkipBOM, else 0.
	Base int
}

// UTF8 is the name of the one encoding that is text as it stands.
const UTF8 = "utf-8"

const utf8BOM = "\xef\xbb\xbf"

// Decode finds out what raw is. Text is UTF-8 without NUL and nearly without control characters. Everything else is an
// *sdk.Error, found in this order:
//
//   - a byte order mark of UTF-16 or UTF-32: unsupported_encoding
//   - the first bytes of a well-known binary format: binary
//   - no byte order mark, but NULs in the places UTF-16 or UTF-32 would have them: unsupported_encoding
//   - more than one control character in twenty bytes, or nothing but NULs: binary
//   - NULs in bytes that are UTF-8 otherwise: nul_byte, with the offset of the first; in bytes that are not: binary
//   - bytes that are not UTF-8: unsupported_encoding, with the offset of the first
//
// An empty file is text.
func Decode(raw []byte) (Decoded, error) {
	d := Decoded{Encoding: UTF8}
	if bytes.HasPrefix(raw, []byte(utf8BOM)) {
		d.Base = len(utf8BOM)
	}
	if name := markedEncoding(raw); name != "" {
		return Decoded{}, unsupported(name, "by its byte order mark")
	}
	c := takeCensus(raw)
	if name := binaryFormat(raw, c.clean()); name != "" {
		return Decoded{}, sdk.Errorf(sdk.CodeBinary, "the file is %s, not text", name)
	}
	if c.nuls > 0 {
		if name := guessedEncoding(raw); name != "" {
			return Decoded{}, unsupported(name, "by the pattern of its NUL bytes")
		}
	}
	if err := c.verdict(raw); err != nil {
		return Decoded{}, err
	}
	return d, nil
}

func unsupported(name, how string) *sdk.Error {
	return sdk.Errorf(sdk.CodeUnsupportedEncoding, "the file is %s, %s; convert it to UTF-8 (iconv -f %s -t UTF-8)",
		name, how, name)
}

// census is what is in a file's bytes.
type census struct {
	bytes    int
	nuls     int
	firstNUL int
	controls int // control characters other than NUL that text has no use for
	invalid  int // offset of the first byte that is not UTF-8, or -1
}

func takeCensus(raw []byte) census {
	c := census{bytes: len(raw), firstNUL: bytes.IndexByte(raw, 0), invalid: -1}
	for _, b := range raw {
		switch {
		case b == 0:
			c.nuls++
		case isControl(b):
			c.controls++
		}
	}
	if !utf8.Valid(raw) {
		c.invalid = firstInvalid(raw)
	}
	return c
}

// isControl holds for the C0 controls and DEL, without those that are found in text: backspace, tab, the line and page
// breaks, and escape, which begins the colours of terminal logs.
func isControl(b byte) bool {
	return b < 0x20 && (b < '\b' || b > '\r') && b != 0x1b || b == 0x7f
}

func firstInvalid(raw []byte) int {
	for i := 0; i < len(raw); {
		r, w := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && w == 1 {
			return i
		}
		i += w
	}
	return -1
}

// clean tells whether nothing speaks against text.
func (c census) clean() bool { return c.nuls == 0 && c.controls == 0 && c.invalid < 0 }

// controlShare: in random bytes one in ten is a control character, in text none; the limit is between the two.
const controlShare = 20

func (c census) verdict(raw []byte) error {
	rest := c.bytes - c.nuls
	switch {
	case c.nuls > 0 && (rest == 0 || c.invalid >= 0):
		return sdk.Errorf(sdk.CodeBinary, "the file is not text: it has %d NUL bytes in %d, the first at byte %d",
			c.nuls, c.bytes, c.firstNUL)
	case c.controls*controlShare > rest:
		return sdk.Errorf(sdk.CodeBinary, "the file is not text: %d of its %d bytes are control characters",
			c.controls, c.bytes)
	case c.nuls > 0:
		return sdk.Errorf(sdk.CodeNULByte, "NUL bytes (%d), the first at offset %d; remove them from the file", c.nuls, c.firstNUL)
	case c.invalid >= 0:
		return sdk.Errorf(sdk.CodeUnsupportedEncoding,
			"byte %d (0x%02x) is not UTF-8, as text must be; convert the file to UTF-8", c.invalid, raw[c.invalid])
	}
	return nil
}
