package host

import (
	"context"
	"errors"
	"fmt"
	"net"

	"golang.org/x/sys/unix"
)

// dial connects to the child's socket and makes sure that it is the child, or one of its process group (a wrapper may
// have started the interpreter), that listens.
func (p *process) dial(ctx context.Context, _ string) (net.Conn, error) {
	p.mu.Lock()
	address, pid := p.address, p.pid
	p.mu.Unlock()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", address)
	if err != nil {
		return nil, err
	}
	if err := checkPeer(conn.(*net.UnixConn), pid); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

func checkPeer(conn *net.UnixConn, group int) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var cred *unix.Ucred
	var credErr error
	if err := raw.Control(func(fd uintptr) {
		cred, credErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	}); err != nil {
		return err
	}
	if credErr != nil {
		return credErr
	}
	if pgid, err := unix.Getpgid(int(cred.Pid)); err != nil || pgid != group {
		return fmt.Errorf("process %d listens on the plugin's socket and does not belong to it", cred.Pid)
	}
	return nil
}
