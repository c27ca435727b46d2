package wire

import (
	"slices"
	"testing"

	"github.com/cleave-project/cleave/sdk"
)

// TestListsAreWhole: each of sdk's lists is in the protocol, value for value, and nothing else is.
func TestListsAreWhole(t *testing.T) {
	whole(t, kinds, sdk.Kinds())
	whole(t, cuts, sdk.Cuts())
	whole(t, roles, sdk.Roles())
	whole(t, attrKeys, sdk.AttrKeys())
	whole(t, skipReasons, sdk.SkipReasons())
	whole(t, warnings, sdk.WarningCodes())
	whole(t, inputs, []sdk.Input{sdk.InputText, sdk.InputBytes})
}

func whole[S ~string, E ~int32](t *testing.T, l list[S, E], want []S) {
	t.Helper()
	if len(l.values) != len(want)+1 { // and the zero
		t.Errorf("%s: the protocol has %q, sdk has %q", l.what, l.values[1:], want)
	}
	for _, value := range want {
		e, err := l.enum(value)
		if err != nil || e == 0 || l.value(e) != value {
			t.Errorf("%s %q becomes %d, then %q (%v)", l.what, value, e, l.value(e), err)
		}
	}
	if _, err := l.enum("banana"); err == nil {
		t.Errorf("%s: banana is accepted", l.what)
	}
	if got := l.value(99); slices.Contains(want, got) || got == "" {
		t.Errorf("%s: number 99 becomes %q", l.what, got)
	}
}
