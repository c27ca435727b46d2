package sdk_test

import (
	"testing"

	"github.com/cleave-project/cleave/sdk"
)

func TestBlank(t *testing.T) {
	for _, s := range []string{"", " \t\n\v\f\r", "\u0085\u00A0\u2028\u2029\u3000", "\uFEFF \uFEFF"} {
		if !sdk.Blank([]byte(s)) {
			t.Errorf("%q is blank", s)
		}
	}
	// A space of no width that is no White_Space, a mark on a blank, a control character, bytes that are not UTF-8.
	for _, s := range []string{"a", " \u200B", " \u0301", "\x00", "\xA0", "\xEF\xBB", "\u2029.\u2029"} {
		if sdk.Blank([]byte(s)) {
			t.Errorf("%q is not blank", s)
		}
	}
}
