package control

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// ErrOccupied: another daemon, or something that is no socket, is where the socket should be. Nothing was changed.
var ErrOccupied = errors.New("occupied")

// Listen makes the socket at path with mode and, where it is not empty, group (a name or a number). The folder is made
// with mode 0755 where it is missing.
//
// The socket is bound in a private folder, given its mode and owner, and only then linked to its name, so that nobody
// it does not admit can reach it for a moment, and the process's umask stays as it is. A socket that a dead daemon left
// is replaced: a refused connection is the only proof of that. Anything else at path is ErrOccupied. Closing the
// listener removes the name only while it still names this socket.
func Listen(path string, mode fs.FileMode, group string) (net.Listener, error) {
	ln, err := listen(path, mode, group)
	if err != nil {
		return nil, fmt.Errorf("socket %s: %w", path, err)
	}
	return ln, nil
}

func listen(path string, mode fs.FileMode, group string) (net.Listener, error) {
	gid, err := groupID(group)
	if err != nil {
		return nil, err
	}
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	unlock, err := lockStart(path)
	if err != nil {
		return nil, err
	}
	defer unlock()
	stale, err := examine(path)
	if err != nil {
		return nil, err
	}
	private, err := os.MkdirTemp(filepath.Dir(path), ".cleave-") // mode 0700
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(private) // holds names only; the socket itself lives on under path
	ln, err := bind(filepath.Join(private, "s"), mode, gid)
	if err != nil {
		return nil, err
	}
	if err := place(private, path, stale); err != nil {
		ln.Close()
		return nil, err
	}
	own, err := os.Lstat(path)
	if err != nil {
		ln.Close()
		return nil, err
	}
	return &socket{UnixListener: ln, path: path, own: own}, nil
}

// makeFolder makes dir where it is missing. A umask that takes bits away would lock callers out of a new folder.
func makeFolder(dir string) error {
	if _, err := os.Stat(dir); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.Chmod(dir, 0o755)
}

// examine tells whether a dead daemon's socket is at path. Anything else there is an error.
func examine(path string) (stale bool, err error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return false, fmt.Errorf("%w by a %s (move it away, or choose another path)", ErrOccupied, typeName(info.Mode()))
	}
	c, err := dial(path, probeTimeout)
	switch {
	case err == nil:
		c.Close()
		return false, fmt.Errorf("%w: another cleaved answers there (stop it, or choose another path)", ErrOccupied)
	case errors.Is(err, unix.ECONNREFUSED):
		return true, nil
	}
	// A full queue, a stopped process and a missing permission all look like silence: none proves that nobody is there.
	return false, fmt.Errorf("%w: whether another cleaved is there cannot be told: %v (stop it, or remove the socket)", ErrOccupied, err)
}

// probeTimeout is how long a live daemon may take to accept. A connect on a full queue blocks until then.
const probeTimeout = 2 * time.Second

func typeName(m fs.FileMode) string {
	switch m.Type() {
	case 0:
		return "regular file"
	case fs.ModeDir:
		return "directory"
	case fs.ModeSymlink:
		return "symbolic link"
	}
	return "special file"
}

// bind listens at a path in a private folder and sets what path may be used by.
func bind(path string, mode fs.FileMode, gid int) (*net.UnixListener, error) {
	var ln *net.UnixListener
	err := short(path, func(p string) (err error) {
		ln, err = net.ListenUnix("unix", &net.UnixAddr{Name: p, Net: "unix"})
		return err
	})
	if err != nil {
		return nil, err
	}
	ln.SetUnlinkOnClose(false)
	if err := os.Chown(path, -1, gid); err != nil {
		ln.Close()
		return nil, err
	}
	if err := os.Chmod(path, mode.Perm()); err != nil {
		ln.Close()
		return nil, err
	}
	return ln, nil
}

// place gives the socket in private its name, in the place of a stale one. Link refuses a name that is taken.
func place(private, path string, stale bool) error {
	if stale {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return os.Link(filepath.Join(private, "s"), path)
}

// lockStart keeps other daemons from starting on path: between a look at a stale socket and its removal another could
// have put its own there. The lock is a file that lives only meanwhile; one that a crash left is no hindrance.
func lockStart(path string) (unlock func(), err error) {
	name := path + ".lock"
	fd, err := unix.Open(name, unix.O_CREAT|unix.O_RDWR|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	var held, named unix.Stat_t
	err = errors.Join(unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB), unix.Fstat(fd, &held), unix.Lstat(name, &named))
	if err != nil || held.Ino != named.Ino || held.Dev != named.Dev { // the one before removed what was opened here
		unix.Close(fd)
		return nil, fmt.Errorf("%w: another cleaved is starting there (start one only)", ErrOccupied)
	}
	return func() {
		_ = os.Remove(name) // one that stays is locked again by the next
		unix.Close(fd)
	}, nil
}

// groupID resolves a group; -1 leaves the group as it is.
func groupID(group string) (int, error) {
	if group == "" {
		return -1, nil
	}
	if n, err := strconv.ParseUint(group, 10, 31); err == nil {
		return int(n), nil
	}
	g, err := user.LookupGroup(group)
	if err != nil {
		return 0, fmt.Errorf("socket_group: %w", err)
	}
	return strconv.Atoi(g.Gid)
}

// socket is a listener that takes only its own name away.
type socket struct {
	*net.UnixListener
	path string
	own  fs.FileInfo
}

// Close looks at the name while the socket still holds its inode, whose number cannot be in use for another then.
func (s *socket) Close() error {
	if now, err := os.Lstat(s.path); err == nil && os.SameFile(now, s.own) {
		if err := os.Remove(s.path); err != nil {
			return errors.Join(err, s.UnixListener.Close())
		}
	}
	return s.UnixListener.Close()
}
