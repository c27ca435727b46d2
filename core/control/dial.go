package control

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// maxSocketPath is the longest path that fits sockaddr_un with its final NUL (unix(7)).
const maxSocketPath = 107

// short calls do with a name of the socket path that fits sockaddr_un: a long one through its folder's descriptor.
func short(path string, do func(string) error) error {
	if len(path) <= maxSocketPath {
		return do(path)
	}
	fd, err := unix.Open(filepath.Dir(path), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: filepath.Dir(path), Err: err}
	}
	defer unix.Close(fd)
	return do(fmt.Sprintf("/proc/self/fd/%d/%s", fd, filepath.Base(path)))
}

// dial connects to the socket at path.
func dial(path string, timeout time.Duration) (net.Conn, error) {
	var c net.Conn
	err := short(path, func(p string) (err error) {
		c, err = net.DialTimeout("unix", p, timeout)
		return err
	})
	return c, err
}
