package text_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/cleave-project/cleave/core/text"
	"github.com/cleave-project/cleave/sdk"
)

func utf16Bytes(s string, order binary.AppendByteOrder) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

func utf32Bytes(s string, order binary.AppendByteOrder) string {
	var b []byte
	for _, r := range s {
		b = order.AppendUint32(b, uint32(r))
	}
	return string(b)
}

func TestDecode(t *testing.T) {
	const prose = "The quick brown fox jumps over the lazy dog.\r\n"
	le, be := binary.LittleEndian, binary.BigEndian
	for name, tc := range map[string]struct {
		raw  string
		base int
		code sdk.Code
		says string // a part of the message
	}{
		"empty":             {raw: ""},
		"ascii":             {raw: prose},
		"utf-8":             {raw: "Grüße, 世界 👋\n"},
		"mark":              {raw: "\xef\xbb\xbf" + prose, base: 3},
		"mark alone":        {raw: "\xef\xbb\xbf", base: 3},
		"mark inside":       {raw: prose + "\ufeff" + prose},
		"terminal colours":  {raw: strings.Repeat("\x1b[1mok\x1b[0m\n", 9)},
		"page breaks":       {raw: "one\ftwo\vthree\b"},
		"replacement":       {raw: "a\ufffdb"},
		"starts like gif":   {raw: "GIF89a is a format from 1989.\n"},
		"starts like bmp":   {raw: "BMW builds cars.\n"},
		"starts like zip":   {raw: "PK is a name.\n"},
		"one control":       {raw: prose + "\x01" + prose},
		"utf-16le mark":     {"\xff\xfe" + utf16Bytes(prose, le), 0, sdk.CodeUnsupportedEncoding, "UTF-16LE"},
		"utf-16be mark":     {"\xfe\xff" + utf16Bytes(prose, be), 0, sdk.CodeUnsupportedEncoding, "UTF-16BE"},
		"utf-32le mark":     {"\xff\xfe\x00\x00" + utf32Bytes(prose, le), 0, sdk.CodeUnsupportedEncoding, "UTF-32LE"},
		"utf-32be mark":     {"\x00\x00\xfe\xff" + utf32Bytes(prose, be), 0, sdk.CodeUnsupportedEncoding, "UTF-32BE"},
		"utf-16le":          {utf16Bytes(prose, le), 0, sdk.CodeUnsupportedEncoding, "UTF-16LE"},
		"utf-16be":          {utf16Bytes(prose, be), 0, sdk.CodeUnsupportedEncoding, "UTF-16BE"},
		"utf-16le latin":    {utf16Bytes("Größe über alles\n", le), 0, sdk.CodeUnsupportedEncoding, "UTF-16LE"},
		"utf-32le":          {utf32Bytes(prose, le), 0, sdk.CodeUnsupportedEncoding, "UTF-32LE"},
		"utf-32be":          {utf32Bytes(prose, be), 0, sdk.CodeUnsupportedEncoding, "UTF-32BE"},
		"latin-1":           {"caf\xe9 au lait", 0, sdk.CodeUnsupportedEncoding, "byte 3 (0xe9)"},
		"cut short":         {prose + "\xe4\xb8", 0, sdk.CodeUnsupportedEncoding, "byte 46"},
		"surrogate":         {"ab\xed\xa0\x80", 0, sdk.CodeUnsupportedEncoding, "byte 2"},
		"overlong":          {"ab\xc0\xaf", 0, sdk.CodeUnsupportedEncoding, "byte 2"},
		"mark then latin-1": {"\xef\xbb\xbfcaf\xe9", 0, sdk.CodeUnsupportedEncoding, "byte 6"},
		"nul":               {"one\x00two", 0, sdk.CodeNULByte, "offset 3"},
		"many nuls":         {prose + strings.Repeat("\x00", 4096), 0, sdk.CodeNULByte, "offset 46"},
		"nul and latin-1":   {"one\x00caf\xe9", 0, sdk.CodeBinary, "NUL"},
		"nothing but nul":   {strings.Repeat("\x00", 100), 0, sdk.CodeBinary, "NUL"},
		"small integers":    {utf16Bytes("\x01\x02\x03\x04\x05\x06\x07\x08", le), 0, sdk.CodeBinary, "control"},
		"controls":          {strings.Repeat("ab\x01\x02", 20), 0, sdk.CodeBinary, "control"},
		"pdf":               {"%PDF-1.7\n1 0 obj\n", 0, sdk.CodeBinary, "PDF"},
		"zip":               {"PK\x03\x04\x14\x00", 0, sdk.CodeBinary, "ZIP"},
		"gzip":              {"\x1f\x8b\x08\x00", 0, sdk.CodeBinary, "gzip"},
		"png":               {"\x89PNG\r\n\x1a\n\x00", 0, sdk.CodeBinary, "PNG"},
		"jpeg":              {"\xff\xd8\xff\xe0", 0, sdk.CodeBinary, "JPEG"},
		"gif":               {"GIF89a\x01\x00\x01\x00", 0, sdk.CodeBinary, "GIF"},
		"elf":               {"\x7fELF\x02\x01\x01\x00", 0, sdk.CodeBinary, "ELF"},
		"sqlite":            {"SQLite format 3\x00\x10\x00", 0, sdk.CodeBinary, "SQLite"},
		"class":             {"\xca\xfe\xba\xbe\x00\x00", 0, sdk.CodeBinary, "Java"},
		"tar":               {"a.txt" + strings.Repeat("\x00", 252) + "ustar\x0000", 0, sdk.CodeBinary, "tar"},
		"mp4":               {"\x00\x00\x00\x18ftypmp42", 0, sdk.CodeBinary, "MP4"},
		"webp":              {"RIFF\x24\x00\x00\x00WEBPVP8 ", 0, sdk.CodeBinary, "WebP"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := text.Decode([]byte(tc.raw))
			if tc.code == "" {
				if err != nil || d != (text.Decoded{Encoding: "utf-8", Base: tc.base}) {
					t.Errorf("got %+v, %v; want base %d", d, err, tc.base)
				}
				return
			}
			var e *sdk.Error
			if !errors.As(err, &e) || e.Code != tc.code || !strings.Contains(e.Message, tc.says) {
				t.Errorf("got %v; want %s: ...%s...", err, tc.code, tc.says)
			}
		})
	}
}
