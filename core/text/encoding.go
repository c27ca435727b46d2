package text

import "bytes"

// markedEncoding is the encoding a byte order mark says, if it is another than UTF-8, else "". UTF-32LE is looked for
// before UTF-16LE, whose mark it begins with.
func markedEncoding(raw []byte) string {
	for _, m := range [...]struct{ mark, name string }{
		{"\xff\xfe\x00\x00", "UTF-32LE"}, {"\x00\x00\xfe\xff", "UTF-32BE"},
		{"\xff\xfe", "UTF-16LE"}, {"\xfe\xff", "UTF-16BE"},
	} {
		if bytes.HasPrefix(raw, []byte(m.mark)) {
			return m.name
		}
	}
	return ""
}

// sampleSize is how many bytes guessedEncoding looks at: a page of text, a multiple of four.
const sampleSize = 4096

// guessedEncoding names UTF-16 or UTF-32 without a byte order mark: the bytes that would be the upper ones of each
// character are nearly all NUL, and the others are nearly all printable, as in the scripts of the Latin block. Tables of
// small numbers have the first but not the second.
func guessedEncoding(raw []byte) string {
	sample := raw[:min(len(raw), sampleSize)]
	if len(raw)%4 == 0 {
		switch {
		case widened(sample, 4, 0):
			return "UTF-32LE"
		case widened(sample, 4, 3):
			return "UTF-32BE"
		}
	}
	switch {
	case len(raw)%2 != 0:
	case widened(sample, 2, 0):
		return "UTF-16LE"
	case widened(sample, 2, 1):
		return "UTF-16BE"
	}
	return ""
}

// widened tells whether, of each width bytes, the one at place is printable and the others are NUL, in nine of ten.
func widened(sample []byte, width, place int) bool {
	units, fit := len(sample)/width, 0
	for u := range units {
		unit := sample[u*width : (u+1)*width]
		low := unit[place]
		if bytes.Count(unit, []byte{0}) == width-1 && low != 0 && !isControl(low) {
			fit++
		}
	}
	return units > 0 && fit*10 >= units*9
}
