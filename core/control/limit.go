package control

import (
	"net"
	"os"
	"sync"
	"time"
)

const (
	// maxConns bounds all connections, and with them descriptors and goroutines. A connection serves one request, so
	// this many requests at once is far more than one machine's callers need.
	maxConns = 512
	// rootReserve of them stay free for root and the daemon's own user, so that an administrator always gets in.
	rootReserve = 64
	// maxUserConns bounds one user's share.
	maxUserConns = 128
	// refusalTimeout bounds the one small write to a connection that is turned away. Its buffer is empty, so the
	// write does not wait at all.
	refusalTimeout = 100 * time.Millisecond
)

// busyResponse turns a connection away before anything of it was read; the end of the connection ends it.
const busyResponse = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n" +
	`{"error":{"code":"busy","message":"too many connections are open (close some, try again)","exit":1}}` + "\n"

// limited accepts connections, asks the kernel who is there, and counts them by user.
type limited struct {
	net.Listener
	mu     sync.Mutex // guards total and byUser
	total  int
	byUser map[uint32]int
}

func limit(ln net.Listener) *limited {
	return &limited{Listener: ln, byUser: map[uint32]int{}}
}

// conn is an accepted connection with its caller.
type conn struct {
	net.Conn
	caller Caller
	once   sync.Once
	free   func()
}

func (c *conn) Close() error {
	c.once.Do(c.free)
	return c.Conn.Close()
}

// Accept gives the next connection that may stay. A connection that is refused, or gone before the kernel could say
// whose it was, ends here; only the listener's own errors are returned.
func (l *limited) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if admitted := l.admit(c); admitted != nil {
			return admitted, nil
		}
		c.Close()
	}
}

func (l *limited) admit(c net.Conn) net.Conn {
	unixConn, ok := c.(*net.UnixConn)
	if !ok {
		return nil // not a unix socket: the kernel vouches for nobody
	}
	who, err := peer(unixConn)
	if err != nil {
		return nil
	}
	if !l.take(who.UID) {
		// The client is told why where it still listens; it gets nothing more either way.
		_ = c.SetWriteDeadline(time.Now().Add(refusalTimeout))
		_, _ = c.Write([]byte(busyResponse))
		return nil
	}
	return &conn{Conn: c, caller: who, free: func() { l.release(who.UID) }}
}

// take counts a connection of uid, or refuses it.
func (l *limited) take(uid uint32) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if privileged(uid) {
		if l.total >= maxConns {
			return false
		}
	} else if l.total >= maxConns-rootReserve || l.byUser[uid] >= maxUserConns {
		return false
	}
	l.total++
	l.byUser[uid]++
	return true
}

func (l *limited) release(uid uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total--
	if l.byUser[uid]--; l.byUser[uid] == 0 {
		delete(l.byUser, uid)
	}
}

// privileged tells whether uid's connections may use the reserve.
func privileged(uid uint32) bool {
	return uid == 0 || int64(uid) == int64(os.Geteuid())
}
