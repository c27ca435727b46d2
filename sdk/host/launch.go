package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc"

	"github.com/cleave-project/cleave/sdk/internal/wire"
)

// Launch starts a plugin and asks it what it is. It takes at most the start limit, and no longer than ctx. Its errors
// are ctx.Err() and *Error; what was started is gone when it returns one.
func Launch(ctx context.Context, o Options) (*Plugin, error) {
	if len(o.Command) == 0 || len(o.SocketDir) > MaxSocketDir {
		return nil, &Error{Plugin: strings.Join(o.Command, " "), Kind: ErrStart,
			Detail: fmt.Sprintf("the socket directory %s has more than %d bytes, or there is no command", o.SocketDir, MaxSocketDir),
			Hint:   "a shorter state directory helps"}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	name := filepath.Base(o.Command[0])
	program, err := openProgram(o.Command[0])
	if err != nil {
		return nil, startError(name, err)
	}
	defer program.close() // the child has been forked by then
	if !program.pinned(o.SHA256) {
		return nil, &Error{Plugin: name, Kind: ErrChecksum, Detail: "it has " + program.sha256,
			Hint: "was it replaced? pin the new checksum if that is right"}
	}
	p := &Plugin{
		name:   name,
		sha256: program.sha256,
		limits: o.Limits,
		out:    newOutput(o.Log.With("plugin", name)),
	}
	p.process = newProcess(o, program, p.out)
	p.connection = goplugin.NewClient(p.clientConfig(o))
	if err := p.start(ctx); err != nil {
		p.end(0)
		return nil, err
	}
	return p, nil
}

func (p *Plugin) clientConfig(o Options) *goplugin.ClientConfig {
	return &goplugin.ClientConfig{
		HandshakeConfig:  wire.Handshake(),
		Plugins:          goplugin.PluginSet{wire.ServiceName: clientPlugin{}},
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		StartTimeout:     2 * o.Limits.start(), // ours, in start, comes first and covers more
		SkipHostEnv:      true,
		UnixSocketConfig: &goplugin.UnixSocketConfig{TempDir: o.SocketDir},
		// Off, not a null logger, whose level would have go-plugin parse every line before it drops it.
		Logger:     hclog.New(&hclog.LoggerOptions{Level: hclog.Off}),
		SyncStdout: p.out,
		SyncStderr: p.out,
		GRPCDialOptions: []grpc.DialOption{
			grpc.WithContextDialer(p.process.dial),
			// Every call sets its own; this one is for what go-plugin itself receives.
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(messageBase)),
		},
		RunnerFunc: func(_ hclog.Logger, cmd *exec.Cmd, dir string) (runner.Runner, error) {
			p.process.prepare(dir, cmd.Env)
			return p.process, nil
		},
	}
}

// start negotiates and describes within the start limit.
func (p *Plugin) start(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, p.limits.start())
	defer cancel()
	connected := make(chan error, 1)
	go func() { connected <- p.connect() }()
	var err error
	select {
	case err = <-connected:
	case <-limited.Done():
		_ = p.process.kill() // gone already is fine
		<-connected          // go-plugin returns once the child is gone
		err = limited.Err()
	}
	if err == nil {
		p.info, err = p.client.Describe(limited)
	}
	if err == nil {
		p.name = p.info.Name
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return p.launchError(err)
}

// connect has go-plugin start the child, read its handshake and dial.
func (p *Plugin) connect() error {
	protocol, err := p.connection.Client()
	if err != nil {
		return err
	}
	dispensed, err := protocol.Dispense(wire.ServiceName)
	if err != nil {
		return err
	}
	p.client = dispensed.(*wire.Client)
	return nil
}

// startError is for a program that cannot be executed.
func startError(name string, err error) *Error {
	e := &Error{Plugin: name, Kind: ErrStart, Detail: err.Error(), cause: err}
	var path *fs.PathError
	if errors.As(err, &path) && path.Op == "fork/exec" {
		e.Detail = path.Err.Error() // its path is that of a link of ours
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Hint = "is it in the plugin directory? for a script: is its interpreter installed?"
	case errors.Is(err, fs.ErrPermission):
		e.Hint = "chmod +x, and every directory above must be searchable"
	case errors.Is(err, syscall.ENOEXEC):
		e.Hint = "was it built for this machine's architecture? a script needs a #! line"
	}
	return e
}

// launchError says why a program that was found did not become a plugin.
func (p *Plugin) launchError(err error) *Error {
	if !p.process.started() {
		return startError(p.name, err)
	}
	e := &Error{Plugin: p.name, Kind: ErrNotPlugin, cause: err,
		Hint: "is it the right program, built for this version of cleave?"}
	var broke *wire.BrokenError
	switch {
	case errors.As(err, &broke):
		e.Detail = oneLine(broke.What)
	case errors.Is(err, context.DeadlineExceeded):
		e.Detail = fmt.Sprintf("it did not introduce itself within %s", p.limits.start())
	case p.process.gone(drainPeriod) && p.process.status != killedStatus:
		e.Detail = "it ended before it introduced itself, " + p.process.status
		e.Output = p.out.opening()
	case p.out.opening() != "":
		e.Output = p.out.opening()
	default: // go-plugin has killed it for what it said in the handshake
		e.Detail, _, _ = strings.Cut(err.Error(), "\n")
		e.Detail = oneLine(e.Detail)
	}
	return e
}

// killedStatus is that of a process that was killed, most likely by us.
const killedStatus = "signal: killed"

// clientPlugin makes the host's end of a connection.
type clientPlugin struct {
	goplugin.NetRPCUnsupportedPlugin
	goplugin.GRPCPlugin
}

func (clientPlugin) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return wire.NewClient(conn), nil
}

// removeDir removes the socket folder; what is left of it is removed with its parent at the next start.
func (p *Plugin) removeDir() {
	if p.process.dir != "" {
		_ = os.RemoveAll(p.process.dir)
	}
}
