package host

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-plugin/runner"
	"golang.org/x/sys/unix"
)

// process is one child. It is go-plugin's runner: go-plugin negotiates with it, starting, watching and killing is
// ours. One goroutine, locked to its own thread, starts the child and stays until it is gone: the kernel's
// parent-death signal is bound to the thread, not to the process, that forked.
type process struct {
	cmd     *exec.Cmd
	program *program
	dir     string
	out     *output

	handshake       *io.PipeReader // the first line of standard output, for go-plugin
	handshakeWriter *io.PipeWriter
	alive           *os.File // our end of the child's standard input: while it is open, the host lives
	outputs         [2]*os.File
	readers         sync.WaitGroup

	// exited is closed when the child was reaped, its group killed and its output read; status is set before.
	exited chan struct{}
	status string

	mu sync.Mutex
	// pid is 0 before the start and once the child has been reaped, when the number may be another's. Guarded by mu.
	pid int
	// address is the socket that the child names in the handshake. Guarded by mu.
	address string
	// closed: our end of the child's standard input is closed. Guarded by mu.
	closed bool
	// killed: Kill was called, perhaps before there was a child. Guarded by mu.
	killed bool
}

var _ runner.Runner = (*process)(nil)

// baseEnv is the environment but for the handshake: a PATH for scripts that name their interpreter by env, and a
// locale in which interpreters speak UTF-8.
var baseEnv = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"}

func newProcess(o Options, p *program, out *output) *process {
	cmd := exec.Command(p.path, o.Command[1:]...)
	cmd.Env = append(append([]string{}, baseEnv...), o.Env...)
	cmd.Dir = "/"
	cmd.SysProcAttr = &unix.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGKILL}
	r, w := io.Pipe()
	return &process{cmd: cmd, program: p, out: out, handshake: r, handshakeWriter: w, exited: make(chan struct{})}
}

// prepare takes the socket folder that go-plugin has made and the environment that its handshake needs.
func (p *process) prepare(dir string, env []string) {
	p.dir = dir
	p.cmd.Env = append(p.cmd.Env, env...)
}

// Start forks the child. It is called once.
func (p *process) Start(context.Context) error {
	path, err := p.program.link(p.dir)
	if err != nil {
		return err
	}
	p.cmd.Path = path
	theirs, err := p.pipes()
	if err != nil {
		return err
	}
	started := make(chan error)
	go p.life(started)
	err = <-started
	for _, f := range theirs {
		_ = f.Close() // the child has its own copies
	}
	return err
}

// pipes makes the child's standard files and returns its ends of them.
func (p *process) pipes() ([]*os.File, error) {
	var files []*os.File
	for range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			for _, f := range files {
				_ = f.Close()
			}
			return nil, err
		}
		files = append(files, r, w)
	}
	p.alive = files[1]
	p.outputs = [2]*os.File{files[2], files[4]}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = files[0], files[3], files[5]
	return []*os.File{files[0], files[3], files[5]}, nil
}

// life is the child's thread, from fork to reaping. The thread ends with it, since it is never unlocked.
func (p *process) life(started chan<- error) {
	runtime.LockOSThread()
	defer close(p.exited)
	err := p.cmd.Start()
	if err == nil {
		p.born()
	}
	started <- err
	if err != nil {
		p.closeFiles()
		return
	}
	p.waitUnreaped()
	p.reap()
	p.finish()
}

func (p *process) born() {
	p.readers.Go(p.readStdout)
	p.readers.Go(p.readStderr)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pid = p.cmd.Process.Pid
	if p.killed {
		_ = p.killLocked()
	}
}

// waitUnreaped blocks until the child has ended, and leaves it a zombie, so that its number cannot be another's.
func (p *process) waitUnreaped() {
	for {
		err := unix.Waitid(unix.P_PID, p.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return // any other error means that there is nothing to wait for
		}
	}
}

// reap kills what the child leaves behind in its process group, then takes its status.
func (p *process) reap() {
	p.mu.Lock()
	_ = p.killLocked() // no such process: nobody is left, which is fine
	p.pid = 0
	p.mu.Unlock()
	p.status = "exit status 0"
	if err := p.cmd.Wait(); err != nil {
		p.status = err.Error()
	}
}

// finish reads what is left of the output. A grandchild in a session of its own may hold the pipes for ever, so it
// only has drainPeriod.
func (p *process) finish() {
	for _, f := range p.outputs {
		_ = f.SetReadDeadline(time.Now().Add(drainPeriod)) // a pipe always takes one
	}
	p.readers.Wait()
	p.out.end()
	p.closeFiles()
}

func (p *process) closeFiles() {
	_ = p.handshakeWriter.Close()
	for _, f := range p.outputs {
		_ = f.Close()
	}
	p.hangUp()
}

// hangUp tells the child that its host is gone.
func (p *process) hangUp() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.alive != nil && !p.closed {
		p.closed = true
		_ = p.alive.Close()
	}
}

// readStdout gives the first line to go-plugin and the rest to the log. go-plugin's own scanner would stop at a line
// of 64 KiB, and the child with it.
func (p *process) readStdout() {
	r := bufio.NewReaderSize(p.outputs[0], 4096)
	line, err := r.ReadSlice('\n')
	if !strings.HasPrefix(string(line), coreProtocol) {
		_, _ = p.out.Write(line) // output never fails
	}
	if len(line) > 0 {
		_, _ = p.handshakeWriter.Write(line) // fails only when go-plugin has given up
	}
	_ = p.handshakeWriter.Close()
	if err == nil || errors.Is(err, bufio.ErrBufferFull) {
		_, _ = io.Copy(p.out, r) // ends with the child
	}
}

// coreProtocol begins a handshake: go-plugin's own version, which has been 1 since its first release.
const coreProtocol = "1|"

func (p *process) readStderr() {
	_, _ = io.Copy(p.out, p.outputs[1]) // ends with the child
}

// started tells whether there ever was a child. It is asked once go-plugin has returned.
func (p *process) started() bool { return p.cmd.Process != nil }

// Wait blocks until the child is gone.
func (p *process) Wait(context.Context) error {
	<-p.exited
	return nil
}

// Kill is kill for go-plugin. There is nothing to wait for, so that the context is of no use.
func (p *process) Kill(context.Context) error { return p.kill() }

// kill ends the child and its process group. It does not wait.
func (p *process) kill() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed = true
	return p.killLocked()
}

func (p *process) killLocked() error {
	if p.pid == 0 {
		return nil
	}
	return unix.Kill(-p.pid, unix.SIGKILL)
}

// gone waits for the end, at most d.
func (p *process) gone(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

// Stdout is the handshake line.
func (p *process) Stdout() io.ReadCloser { return p.handshake }

// Stderr is empty: readStderr has it.
func (p *process) Stderr() io.ReadCloser { return io.NopCloser(strings.NewReader("")) }

// Name is the program's path.
func (p *process) Name() string { return p.program.path }

// ID is the process id; go-plugin only wants it not to be empty.
func (p *process) ID() string { return strconv.Itoa(p.cmd.Process.Pid) }

// Diagnose adds nothing to go-plugin's errors: ours are made in launch.
func (p *process) Diagnose(context.Context) string { return "" }

// PluginToHost takes the address from the handshake. Only a unix socket in the folder that was given is accepted.
func (p *process) PluginToHost(network, address string) (string, string, error) {
	if network != "unix" || filepath.Dir(filepath.Clean(address)) != filepath.Clean(p.dir) {
		return "", "", fmt.Errorf("it listens on %.200q, not on a unix socket in the folder it was given", network+":"+address)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.address = address
	return network, address, nil
}

// HostToPlugin is for go-plugin's broker, which is not used.
func (p *process) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}
