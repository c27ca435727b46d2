package text

import "bytes"

// magic is how files of a binary format begin.
type magic struct {
	at    int
	bytes string
	name  string
	// wordy: the bytes could begin a text ("GIF89a is ..."), so the rest must not look like one.
	wordy bool
}

// binaryFormats are the formats people have lying between their documents; from the formats' own specifications.
var binaryFormats = [...]magic{
	{0, "%PDF-", "a PDF document", false},
	{0, "PK\x03\x04", "a ZIP archive or an office document", false},
	{0, "PK\x05\x06", "an empty ZIP archive", false},
	{0, "\x1f\x8b", "gzip data", false},
	{0, "BZh", "bzip2 data", true},
	{0, "\xfd7zXZ\x00", "xz data", false},
	{0, "\x28\xb5\x2f\xfd", "Zstandard data", false},
	{0, "7z\xbc\xaf\x27\x1c", "a 7z archive", false},
	{0, "Rar!\x1a\x07", "a RAR archive", false},
	{257, "ustar", "a tar archive", true},
	{0, "\x89PNG\r\n\x1a\n", "a PNG image", false},
	{0, "\xff\xd8\xff", "a JPEG image", false},
	{0, "GIF87a", "a GIF image", true},
	{0, "GIF89a", "a GIF image", true},
	{0, "BM", "a BMP image", true},
	{0, "II*\x00", "a TIFF image", false},
	{0, "MM\x00*", "a TIFF image", false},
	{8, "WEBP", "a WebP image", true},
	{0, "\x00\x00\x01\x00", "an icon", false},
	{0, "ID3", "MP3 audio", true},
	{0, "OggS\x00", "Ogg data", false},
	{0, "fLaC", "FLAC audio", true},
	{8, "WAVE", "WAVE audio", true},
	{4, "ftyp", "an MP4 or HEIF file", true},
	{0, "\x1a\x45\xdf\xa3", "a Matroska or WebM file", false},
	{0, "\x7fELF", "an ELF program", false},
	{0, "MZ", "a Windows program", true},
	{0, "\xca\xfe\xba\xbe", "a Java class or a Mach-O program", false},
	{0, "\xfe\xed\xfa\xce", "a Mach-O program", false},
	{0, "\xfe\xed\xfa\xcf", "a Mach-O program", false},
	{0, "\xce\xfa\xed\xfe", "a Mach-O program", false},
	{0, "\xcf\xfa\xed\xfe", "a Mach-O program", false},
	{0, "\x00asm", "a WebAssembly module", false},
	{0, "!<arch>\n", "a static library", true},
	{0, "SQLite format 3\x00", "an SQLite database", false},
	{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old office document", false},
	{0, "wOFF", "a font", true},
	{0, "wOF2", "a font", true},
	{0, "OTTO", "a font", true},
	{0, "\x00\x01\x00\x00\x00", "a font", false},
	{0, "PAR1", "a Parquet file", true},
}

// binaryFormat names the format whose first bytes raw has, or "". Clean: the bytes could all be text.
func binaryFormat(raw []byte, clean bool) string {
	for _, m := range binaryFormats {
		if len(raw) >= m.at && bytes.HasPrefix(raw[m.at:], []byte(m.bytes)) && !(m.wordy && clean) {
			return m.name
		}
	}
	return ""
}
