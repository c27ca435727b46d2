package control

import (
	"fmt"
	"net"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Caller is the process at the other end of a connection as the kernel knew it when it connected (E1).
type Caller struct {
	UID, GID uint32
	Groups   []uint32 // supplementary groups, sorted
	PID      int32
}

// peer asks the kernel who is at the other end of c.
func peer(c *net.UnixConn) (Caller, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return Caller{}, fmt.Errorf("peer credentials: %w", err)
	}
	var who Caller
	var inner error
	if err := raw.Control(func(fd uintptr) { who, inner = peerOf(int(fd)) }); err != nil {
		return Caller{}, fmt.Errorf("peer credentials: %w", err)
	}
	return who, inner
}

func peerOf(fd int) (Caller, error) {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return Caller{}, fmt.Errorf("SO_PEERCRED: %w", err)
	}
	groups, err := peerGroups(fd)
	if err != nil {
		return Caller{}, fmt.Errorf("SO_PEERGROUPS: %w", err)
	}
	return Caller{UID: cred.Uid, GID: cred.Gid, PID: cred.Pid, Groups: groups}, nil
}

// peerGroups reads SO_PEERGROUPS (unix(7), Linux 4.13): with too small a buffer the kernel answers ERANGE and the size
// it needs. x/sys has no call for an option of variable length.
func peerGroups(fd int) ([]uint32, error) {
	const usual = 32 // groups; more take a second call
	buf := make([]uint32, usual)
	for {
		size := uint32(len(buf)) * uint32(unsafe.Sizeof(buf[0]))
		_, _, errno := unix.Syscall6(unix.SYS_GETSOCKOPT, uintptr(fd), unix.SOL_SOCKET, unix.SO_PEERGROUPS,
			uintptr(unsafe.Pointer(&buf[0])), uintptr(unsafe.Pointer(&size)), 0)
		n := int(size) / int(unsafe.Sizeof(buf[0]))
		switch {
		case errno == 0:
			groups := slices.Clone(buf[:n])
			slices.Sort(groups)
			return groups, nil
		case errno == unix.ERANGE && n > len(buf):
			buf = make([]uint32, n)
		default:
			return nil, errno
		}
	}
}
