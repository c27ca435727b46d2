package scan

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// RootID tells a directory from every other, over restarts and remounts. It is comparable, but ask Same.
type RootID struct {
	FSID  uint64 // of the file system; its device number where it has no ID of its own
	Inode uint64
	Born  int64 // nanoseconds since 1970; 0 where the file system does not keep it
}

// Same tells that both are one directory. A time of birth that one of them lacks is no difference.
func (id RootID) Same(o RootID) bool {
	return id.FSID == o.FSID && id.Inode == o.Inode && (id.Born == o.Born || id.Born == 0 || o.Born == 0)
}

// String writes what ParseRootID reads.
func (id RootID) String() string {
	return fmt.Sprintf("%016x-%x-%x", id.FSID, id.Inode, uint64(id.Born))
}

// ParseRootID reads what String writes, and nothing else.
func ParseRootID(s string) (RootID, error) {
	var id RootID
	var born uint64
	if _, err := fmt.Sscanf(s, "%x-%x-%x", &id.FSID, &id.Inode, &born); err == nil {
		id.Born = int64(born)
		if id.String() == s {
			return id, nil
		}
	}
	return RootID{}, fmt.Errorf("%q is not the identity of a root", s)
}

// identify says what the open directory fd is.
func identify(fd int) (RootID, error) {
	var fs unix.Statfs_t
	if err := retry(func() error { return unix.Fstatfs(fd, &fs) }); err != nil {
		return RootID{}, fmt.Errorf("statfs: %w", err)
	}
	var st unix.Stat_t
	if err := retry(func() error { return unix.Fstat(fd, &st) }); err != nil {
		return RootID{}, fmt.Errorf("stat: %w", err)
	}
	id := RootID{
		FSID:  uint64(uint32(fs.Fsid.Val[0]))<<32 | uint64(uint32(fs.Fsid.Val[1])),
		Inode: st.Ino,
	}
	if id.FSID == 0 {
		id.FSID = uint64(st.Dev)
	}
	var stx unix.Statx_t
	err := retry(func() error { return unix.Statx(fd, "", unix.AT_EMPTY_PATH, unix.STATX_BTIME, &stx) })
	if err == nil && stx.Mask&unix.STATX_BTIME != 0 { // an error here only means that there is no time of birth
		id.Born = stx.Btime.Sec*1e9 + int64(stx.Btime.Nsec)
	}
	return id, nil
}
