package ingest

import (
	"strconv"

	"github.com/cleave-project/cleave/core/dispatch"
	"github.com/cleave-project/cleave/core/object"
)

// outlineProtocol counts what an outline depends on beside the plugin and the bytes: the sdk's protocol and our
// decoder. 1: UTF-8 with and without a byte order mark.
const outlineProtocol = 1

// outlineKey is the hash of everything an outline depends on. It never depends on the path: a plugin is not told it.
func outlineKey(revision object.ID, r dispatch.Route) object.ID {
	var b []byte
	for _, part := range []string{
		strconv.Itoa(outlineProtocol), string(revision[:]), r.Plugin.Name, r.Plugin.Version, r.Plugin.SHA256, noOptions,
		r.MediaType, r.Lang,
	} {
		b = strconv.AppendInt(b, int64(len(part)), 10)
		b = append(b, ':')
		b = append(b, part...)
	}
	return object.Sum(b)
}
