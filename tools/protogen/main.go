// Command protogen turns sdk/proto/splitter.proto into the Go code in sdk/internal/wire, without protoc: protocompile
// parses, and the two official generators, pinned as tools in go.mod, write. Run it from the root of the module:
//
//	go run ./tools/protogen [-out DIR]
//
// Without -out it writes to sdk/internal/wire. Its output depends on the proto file and on the versions in go.mod
// only.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

const (
	importPath = "sdk/proto"
	protoFile  = "splitter.proto"
)

// generators are run in this order; each writes files of its own.
var generators = []string{
	"google.golang.org/protobuf/cmd/protoc-gen-go",
	"google.golang.org/grpc/cmd/protoc-gen-go-grpc",
}

func main() {
	out := flag.String("out", "sdk/internal/wire", "directory for the generated files")
	flag.Parse()
	if err := run(context.Background(), *out); err != nil {
		fmt.Fprintln(os.Stderr, "protogen:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out string) error {
	request, err := compile(ctx)
	if err != nil {
		return err
	}
	for _, generator := range generators {
		if err := generate(ctx, generator, request, out); err != nil {
			return fmt.Errorf("%s: %w", generator, err)
		}
	}
	return nil
}

// compile parses the proto file into the request that protoc would send to a generator.
func compile(ctx context.Context) ([]byte, error) {
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{importPath}}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := compiler.Compile(ctx, protoFile)
	if err != nil {
		return nil, err
	}
	return proto.MarshalOptions{Deterministic: true}.Marshal(&pluginpb.CodeGeneratorRequest{
		FileToGenerate: []string{protoFile},
		Parameter:      proto.String("paths=source_relative"),
		ProtoFile:      []*descriptorpb.FileDescriptorProto{protoutil.ProtoFromFileDescriptor(files[0])},
	})
}

// generate runs one generator and writes its files to out.
func generate(ctx context.Context, generator string, request []byte, out string) error {
	cmd := exec.CommandContext(ctx, "go", "tool", generator)
	cmd.Stdin = bytes.NewReader(request)
	cmd.Stderr = os.Stderr
	answer, err := cmd.Output()
	if err != nil {
		return err
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(answer, &response); err != nil {
		return err
	}
	if response.Error != nil {
		return fmt.Errorf("%s", response.GetError())
	}
	for _, file := range response.File {
		path := filepath.Join(out, filepath.Base(file.GetName()))
		if err := os.WriteFile(path, []byte(file.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
