package wire

import (
	"context"
	"errors"
	"fmt"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/cleave-project/cleave/sdk"
)

// ErrGone says that the connection ended before the answer: the plugin died.
var ErrGone = errors.New("the connection ended before the answer")

// Client is the host's end of one connection. Its errors are: ctx.Err() where ctx ended, *sdk.Error where the plugin
// refused the file, *BrokenError where it broke the contract, ErrGone (wrapped) where it went away.
type Client struct {
	splitter SplitterClient
}

// NewClient speaks over conn, which the caller closes.
func NewClient(conn *grpc.ClientConn) *Client {
	return &Client{splitter: NewSplitterClient(conn)}
}

// describeMessage bounds the answer to Describe: many times what the largest valid Info takes.
const describeMessage = 1 << 20

// Describe asks the plugin what it is. The answer is checked (CheckInfo).
func (c *Client) Describe(ctx context.Context) (sdk.Info, error) {
	reply, err := c.splitter.Describe(ctx, &DescribeRequest{Protocol: Protocol}, grpc.MaxCallRecvMsgSize(describeMessage))
	if err != nil {
		return sdk.Info{}, classify(ctx, err)
	}
	if p := reply.GetProtocol(); p == 0 || p > Protocol {
		return sdk.Info{}, broken("it speaks protocol %d, this host speaks 1 to %d", p, Protocol)
	}
	info := replyInfo(reply)
	if err := CheckInfo(info); err != nil {
		return sdk.Info{}, broken("it describes itself wrongly: %v", err)
	}
	return info, nil
}

// Split has one file split.
func (c *Client) Split(ctx context.Context, f sdk.File, bounds Bounds) (sdk.Outline, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the stream wherever this returns early
	var options []grpc.CallOption
	if bounds.Message > 0 {
		options = append(options, grpc.MaxCallRecvMsgSize(bounds.Message))
	}
	stream, err := c.splitter.Split(ctx, options...)
	if err != nil {
		return sdk.Outline{}, classify(ctx, err)
	}
	if err := sendFile(stream, f); err != nil {
		return sdk.Outline{}, classify(ctx, err)
	}
	d := decoder{bounds: bounds}
	for {
		reply, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return sdk.Outline{}, broken("its answer stops before the end")
		}
		if err != nil {
			return sdk.Outline{}, classify(ctx, err)
		}
		if done, err := d.add(reply); err != nil {
			return sdk.Outline{}, err
		} else if done {
			return d.outline, nil
		}
	}
}

// sendFile sends header and content. io.EOF means that the plugin has answered already: the answer says why.
func sendFile(stream grpc.BidiStreamingClient[SplitRequest, SplitReply], f sdk.File) error {
	request := &SplitRequest{Header: &FileHeader{
		Size:      uint64(len(f.Content)),
		MediaType: []byte(f.MediaType),
		Language:  []byte(f.Language),
	}}
	for rest := f.Content; ; request = new(SplitRequest) {
		n := min(len(rest), Frame)
		request.Content, rest = rest[:n], rest[n:]
		if err := stream.Send(request); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if len(rest) == 0 {
			return stream.CloseSend()
		}
	}
}

// classify turns a gRPC status into what the host decides on.
func classify(ctx context.Context, err error) error {
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	s := status.Convert(err)
	switch s.Code() {
	case codes.DeadlineExceeded: // the plugin's clock was ahead of ours
		return context.DeadlineExceeded
	case codes.Unavailable, codes.Canceled: // refused, reset, closed by the plugin; closed by us
		return fmt.Errorf("%w: %s", ErrGone, s.Message())
	case codes.ResourceExhausted: // larger than our limit
		return broken("it sends too large a message: %s", s.Message())
	case codes.Unimplemented:
		return broken("it does not serve %s: %s", Splitter_ServiceDesc.ServiceName, s.Message())
	case codes.Internal: // frames or messages that cannot be decoded
		return broken("it does not speak the protocol: %s", s.Message())
	default: // an exception in a plugin's handler arrives as Unknown
		return sdk.Errorf(sdk.CodePluginRefused, "%s", s.Message())
	}
}
