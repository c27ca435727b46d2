package wire

import (
	"fmt"
	"strings"

	"github.com/cleave-project/cleave/sdk"
)

// list maps one of sdk's closed lists to an enum of the protocol and back. The empty value is the enum's zero.
type list[S ~string, E ~int32] struct {
	what   string
	values []S
	enums  map[S]E
}

// The lists. They follow from the names in the proto file; a test holds them equal to sdk's lists.
var (
	kinds       = newList[sdk.Kind, Kind]("kind", "KIND_", Kind_name)
	cuts        = newList[sdk.Cut, Cut]("cut", "CUT_", Cut_name)
	roles       = newList[sdk.Role, Role]("role", "ROLE_", Role_name)
	attrKeys    = newList[sdk.AttrKey, AttrKey]("attribute key", "ATTR_KEY_", AttrKey_name)
	skipReasons = newList[sdk.SkipReason, SkipReason]("skip reason", "SKIP_REASON_", SkipReason_name)
	warnings    = newList[sdk.WarningCode, WarningCode]("warning code", "WARNING_CODE_", WarningCode_name)
	inputs      = newList[sdk.Input, Input]("input", "INPUT_", Input_name)
)

func newList[S ~string, E ~int32](what, prefix string, names map[int32]string) list[S, E] {
	l := list[S, E]{what: what, values: make([]S, len(names)), enums: make(map[S]E, len(names))}
	for number, name := range names {
		value := S("")
		if number != 0 {
			value = S(strings.ToLower(strings.TrimPrefix(name, prefix)))
		}
		l.values[number] = value
		l.enums[value] = E(number)
	}
	return l
}

// enum fails for a value that is not in the list: a splitter that makes up a kind is told so on its own side.
func (l list[S, E]) enum(value S) (E, error) {
	e, ok := l.enums[value]
	if !ok {
		return 0, fmt.Errorf("%s %q is not in the list", l.what, value)
	}
	return e, nil
}

// value gives a number that this side does not know a name that is in no list, so that the check of the outline names
// it.
func (l list[S, E]) value(e E) S {
	if e < 0 || int(e) >= len(l.values) {
		return S(fmt.Sprintf("unknown_%d", e))
	}
	return l.values[e]
}
