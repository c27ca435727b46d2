package wire

import (
	"context"
	"errors"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/cleave-project/cleave/sdk"
)

// Register makes s answer on a plugin's gRPC server.
func Register(to *grpc.Server, s sdk.Splitter) {
	RegisterSplitterServer(to, &server{splitter: s})
}

// NewServer is a gRPC server with the limits of this protocol.
func NewServer(options []grpc.ServerOption) *grpc.Server {
	return grpc.NewServer(append(options, grpc.MaxRecvMsgSize(ServerMessage))...)
}

type server struct {
	UnimplementedSplitterServer
	splitter sdk.Splitter
}

func (s *server) Describe(context.Context, *DescribeRequest) (*DescribeReply, error) {
	reply, err := infoReply(s.splitter.Info())
	if err != nil {
		return nil, status.Error(codes.FailedPrecondition, err.Error())
	}
	return reply, nil
}

func (s *server) Split(stream grpc.BidiStreamingServer[SplitRequest, SplitReply]) error {
	file, err := receiveFile(stream)
	if err != nil {
		return err
	}
	outline, err := s.splitter.Split(stream.Context(), file)
	if ended := stream.Context().Err(); ended != nil {
		return status.FromContextError(ended).Err()
	}
	if err != nil {
		return stream.Send(&SplitReply{Refusal: refusal(err)})
	}
	var sendErr error
	err = sendOutline(outline, func(reply *SplitReply) error {
		sendErr = stream.Send(reply)
		return sendErr
	})
	if sendErr != nil {
		return sendErr
	}
	if err != nil {
		return stream.Send(&SplitReply{Refusal: refusal(sdk.Errorf(sdk.CodePluginBrokeContract, "%v", err))})
	}
	return nil
}

func refusal(err error) *Refusal {
	var coded *sdk.Error
	if errors.As(err, &coded) {
		return &Refusal{Code: string(coded.Code), Message: []byte(coded.Message)}
	}
	return &Refusal{Code: string(sdk.CodePluginRefused), Message: []byte(err.Error())}
}

// receiveFile reads the whole content before the splitter is asked.
func receiveFile(stream grpc.BidiStreamingServer[SplitRequest, SplitReply]) (sdk.File, error) {
	first, err := stream.Recv()
	if err != nil {
		return sdk.File{}, err
	}
	header := first.GetHeader()
	if header == nil {
		return sdk.File{}, status.Error(codes.InvalidArgument, "the first request has no header")
	}
	size := header.GetSize()
	if size > MaxContent {
		return sdk.File{}, status.Errorf(codes.InvalidArgument, "content of %d bytes, at most %d are allowed", size, MaxContent)
	}
	file := sdk.File{MediaType: string(header.GetMediaType()), Language: string(header.GetLanguage())}
	file.Content = first.GetContent()
	if uint64(len(file.Content)) < size {
		file.Content = append(make([]byte, 0, size), file.Content...)
	}
	for {
		next, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return sdk.File{}, err
		}
		if uint64(len(file.Content)+len(next.GetContent())) > size {
			break
		}
		file.Content = append(file.Content, next.GetContent()...)
	}
	if uint64(len(file.Content)) != size {
		return sdk.File{}, status.Errorf(codes.InvalidArgument, "content is not of the %d bytes announced", size)
	}
	return file, nil
}
