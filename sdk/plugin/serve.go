// Package plugin turns a Splitter into a plugin binary. It is all that a plugin written in Go needs beside package
// sdk:
//
//	func main() { plugin.Serve(splitter{}) }
//
// A plugin is started by a host (sdk/host), speaks gRPC on a unix socket in a private folder (sdk/proto says how), and
// lives no longer than its host: standard input is a pipe that the host holds open. What it prints goes to the host's
// log, a line at a time.
package plugin

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/cleave-project/cleave/sdk"
	"github.com/cleave-project/cleave/sdk/internal/wire"
)

// Serve answers for s until the host ends it. It is the whole of a plugin's main function and returns only when the
// host has shut the connection down. It exits with status 1 and one line on standard error where the program was
// started by hand or s describes itself wrongly.
//
// Splits may run at the same time. One that panics ends the process: the host survives, reports the file, and starts
// another.
func Serve(s sdk.Splitter) {
	info := s.Info()
	if os.Getenv(wire.CookieKey) != wire.CookieValue {
		fail("this is a splitter plugin of cleave (%s %s); cleaved starts it from its plugin directory", info.Name, info.Version)
	}
	if err := wire.CheckInfo(info); err != nil {
		fail("Info: %v", err)
	}
	go exitWithHost()
	heavy := ballast()
	defer runtime.KeepAlive(heavy)
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig: wire.Handshake(),
		Plugins:         goplugin.PluginSet{wire.ServiceName: &service{splitter: s}},
		GRPCServer:      wire.NewServer,
		Logger:          hclog.NewNullLogger(),
	})
}

// exitWithHost ends the process when standard input ends. Nothing is ever written to it.
func exitWithHost() {
	_, _ = io.Copy(io.Discard, os.Stdin) // an error means the same as its end
	os.Exit(0)
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%s: %s\n", filepath.Base(os.Args[0]), fmt.Sprintf(format, args...))
	os.Exit(1)
}

// service is what go-plugin registers.
type service struct {
	goplugin.NetRPCUnsupportedPlugin
	goplugin.GRPCPlugin
	splitter sdk.Splitter
}

func (s *service) GRPCServer(_ *goplugin.GRPCBroker, to *grpc.Server) error {
	wire.Register(to, s.splitter)
	return nil
}
