package daemon

import (
	"os"
	"os/user"
	"slices"
	"strconv"
	"strings"

	"github.com/cleave-project/cleave/core/config"
	"github.com/cleave-project/cleave/core/control"
)

// admins decides who may do everything (E4). The daemon's own uid always may. Names are looked up at each request: the
// user database may change while the daemon runs, and a look-up that fails admits nobody.
type admins []config.Principal

// String names them, for a refusal.
func (a admins) String() string {
	names := make([]string, 0, len(a)+1)
	for _, p := range a {
		names = append(names, p.String())
	}
	return strings.Join(append(names, "the daemon's own user"), ", ")
}

func (a admins) admits(c control.Caller) bool {
	return int(c.UID) == os.Getuid() || slices.ContainsFunc(a, func(p config.Principal) bool { return is(p, c) })
}

func is(p config.Principal, c control.Caller) bool {
	switch p.Kind {
	case config.UID:
		return p.ID == c.UID
	case config.User:
		u, err := user.Lookup(p.Name)
		return err == nil && u.Uid == strconv.FormatUint(uint64(c.UID), 10)
	case config.Group:
		g, err := user.LookupGroup(p.Name)
		if err != nil {
			return false
		}
		gid, err := strconv.ParseUint(g.Gid, 10, 32)
		return err == nil && (uint32(gid) == c.GID || slices.Contains(c.Groups, uint32(gid)))
	}
	return false
}
