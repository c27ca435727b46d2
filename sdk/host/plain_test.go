package host_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/cleave-project/cleave/sdk"
	"github.com/cleave-project/cleave/sdk/host"
	"github.com/cleave-project/cleave/sdk/internal/wire"
)

// runPlain makes this test binary a plugin that knows nothing but sdk/proto/splitter.proto and the comment at its top,
// as one in another language would: no broker, no standard streams over the connection, not even a health service.
func runPlain() int {
	socket := filepath.Join(os.Getenv("PLUGIN_UNIX_SOCKET_DIR"), "plain.sock")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	server := grpc.NewServer()
	wire.Register(server, plain{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // until the host is gone
		server.Stop()
	}()
	fmt.Printf("1|1|unix|%s|grpc\n", socket)
	if err := server.Serve(listener); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

type plain struct{}

func (plain) Info() sdk.Info {
	return sdk.Info{Name: "plain", Version: "1", Globs: []string{"*.plain"}, Input: sdk.InputBytes}
}

func (plain) Split(_ context.Context, f sdk.File) (sdk.Outline, error) {
	return sdk.Outline{Title: f.MediaType, Text: append([]byte{}, f.Content...)}, nil
}

// TestPlainServer: what the proto file says is enough for a plugin.
func TestPlainServer(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := launch(t, host.Options{Command: []string{program}})
	content := make([]byte, 5<<20) // over gRPC's stock limit for one message
	o, err := p.Split(t.Context(), sdk.File{Content: content, MediaType: "x/y"})
	if err != nil || o.Title != "x/y" || len(o.Text) != len(content) {
		t.Errorf("title %q, %d bytes, %v", o.Title, len(o.Text), err)
	}
	start := time.Now()
	if err := p.Close(); err != nil || time.Since(start) > 2*time.Second {
		t.Errorf("Close took %v: %v", time.Since(start), err)
	}
}
