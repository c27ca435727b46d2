package config

import (
	"fmt"
	"strconv"
	"strings"
)

// PrincipalKind is the part of a principal before the colon.
type PrincipalKind string

const (
	User  PrincipalKind = "user"  // by name, looked up when a caller is admitted
	Group PrincipalKind = "group" // by name; a caller's supplementary groups count
	UID   PrincipalKind = "uid"   // by number; needs no entry in the user database
)

// Principal names users of this machine. It is not looked up here: names may appear later than the configuration.
type Principal struct {
	Kind PrincipalKind
	Name string // of a User or Group
	ID   uint32 // of a UID
}

// ParsePrincipal reads "user:NAME", "group:NAME" or "uid:N".
func ParsePrincipal(s string) (Principal, error) {
	kind, name, _ := strings.Cut(s, ":")
	bad := fmt.Errorf("%q is not a principal", s)
	switch k := PrincipalKind(kind); k {
	case User, Group:
		if name == "" || strings.ContainsAny(name, ":, \t\n") {
			return Principal{}, bad
		}
		return Principal{Kind: k, Name: name}, nil
	case UID:
		n, err := strconv.ParseUint(name, 10, 32)
		if err != nil || strconv.FormatUint(n, 10) != name {
			return Principal{}, bad
		}
		return Principal{Kind: UID, ID: uint32(n)}, nil
	}
	return Principal{}, bad
}

// String writes what ParsePrincipal reads.
func (p Principal) String() string {
	if p.Kind == UID {
		return fmt.Sprintf("uid:%d", p.ID)
	}
	return string(p.Kind) + ":" + p.Name
}
