package control

import (
	"cmp"
	"runtime/debug"
)

// linked is the version that the linker was told (make build); empty otherwise.
var linked string

// BuildVersion says what the running binary was built from: what the linker was told, else what the go command stamped.
func BuildVersion() VersionAnswer {
	v := VersionAnswer{Version: cmp.Or(linked, "(devel)")}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Go = info.GoVersion
	if linked == "" && info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	return v
}
