package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Size is a number of bytes. It is written as a whole number and a unit: B, kB, MB, GB, TB (powers of 1000) or KiB,
// MiB, GiB, TiB (powers of 1024); a number alone counts bytes.
type Size int64

// sizeUnits are tried in this order; B comes last, since all others end in it.
var sizeUnits = [...]struct {
	suffix string
	bytes  int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"B", 1},
}

// ParseSize reads what String writes.
func ParseSize(s string) (Size, error) {
	digits, unit := s, int64(1)
	for _, u := range sizeUnits {
		if rest, ok := strings.CutSuffix(s, u.suffix); ok {
			digits, unit = strings.TrimRight(rest, " "), u.bytes
			break
		}
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil {
		return 0, fmt.Errorf("%q is not a size", s)
	}
	if int64(n) > math.MaxInt64/unit {
		return 0, fmt.Errorf("%q is too large", s)
	}
	return Size(int64(n) * unit), nil
}

// String writes the size with the largest binary unit that divides it.
func (s Size) String() string {
	out := fmt.Sprintf("%dB", int64(s))
	for _, u := range sizeUnits[:4] {
		if s != 0 && int64(s)%u.bytes == 0 {
			out = fmt.Sprintf("%d%s", int64(s)/u.bytes, u.suffix)
		}
	}
	return out
}
