package control

import "runtime/debug"

// BuildVersion says what the running binary was built from, as the go command stamped it.
func BuildVersion() VersionAnswer {
	v := VersionAnswer{Version: "(devel)"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Go = info.GoVersion
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	return v
}
