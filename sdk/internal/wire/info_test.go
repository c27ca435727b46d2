package wire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cleave-project/cleave/sdk"
	"github.com/cleave-project/cleave/sdk/internal/wire"
)

func TestCheckInfo(t *testing.T) {
	good := sdk.Info{Name: "a-b_c.9", Version: "1.0+x", Globs: []string{"*.a"}, Input: sdk.InputBytes}
	if err := wire.CheckInfo(good); err != nil {
		t.Errorf("CheckInfo(%+v) = %v", good, err)
	}
	for name, spoil := range map[string]func(*sdk.Info){
		"no name":         func(i *sdk.Info) { i.Name = "" },
		"upper case":      func(i *sdk.Info) { i.Name = "A" },
		"leading dash":    func(i *sdk.Info) { i.Name = "-a" },
		"trailing break":  func(i *sdk.Info) { i.Name = "a\n" },
		"long name":       func(i *sdk.Info) { i.Name = strings.Repeat("a", 65) },
		"no version":      func(i *sdk.Info) { i.Version = "" },
		"escape":          func(i *sdk.Info) { i.Version = "1\x1b[31m" },
		"long version":    func(i *sdk.Info) { i.Version = strings.Repeat("1", 65) },
		"no input":        func(i *sdk.Info) { i.Input = "" },
		"other input":     func(i *sdk.Info) { i.Input = "pages" },
		"empty glob":      func(i *sdk.Info) { i.Globs = []string{""} },
		"glob of bytes":   func(i *sdk.Info) { i.Globs = []string{"\xff"} },
		"many globs":      func(i *sdk.Info) { i.Globs = slices.Repeat([]string{"*.a"}, 1000) },
		"long media type": func(i *sdk.Info) { i.MediaTypes = []string{strings.Repeat("a", 200)} },
		"language":        func(i *sdk.Info) { i.Languages = []string{"go\n"} },
	} {
		bad := good
		spoil(&bad)
		if wire.CheckInfo(bad) == nil {
			t.Errorf("%s: %+v passes", name, bad)
		}
	}
}
