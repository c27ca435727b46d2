package wire_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/cleave-project/cleave/sdk/internal/wire"
)

var update = flag.Bool("update", false, "rewrite testdata/protocol_v1.txt, which plugins out there were built against")

// TestProtocolOnlyGrows: no field, enum value or method of protocol 1 is renumbered, retyped or removed, and what is
// new is added to the list on purpose.
func TestProtocolOnlyGrows(t *testing.T) {
	const golden = "testdata/protocol_v1.txt"
	got := describeProtocol(wire.File_splitter_proto)
	if *update {
		if err := os.WriteFile(golden, []byte(strings.Join(got, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(data)), "\n")
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("gone or changed: %s", line)
		}
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Errorf("new (add it with -update): %s", line)
		}
	}
}

// describeProtocol gives a line for everything that a plugin may have been built against.
func describeProtocol(file protoreflect.FileDescriptor) []string {
	var lines []string
	for m := range all(file.Messages()) {
		for f := range all(m.Fields()) {
			kind := f.Kind().String()
			if f.Message() != nil {
				kind = string(f.Message().FullName())
			} else if f.Enum() != nil {
				kind = string(f.Enum().FullName())
			}
			lines = append(lines, fmt.Sprintf("%s = %d %s %s", f.FullName(), f.Number(), f.Cardinality(), kind))
		}
	}
	for e := range all(file.Enums()) {
		for v := range all(e.Values()) {
			lines = append(lines, fmt.Sprintf("%s = %d", v.FullName(), v.Number()))
		}
	}
	for s := range all(file.Services()) {
		for m := range all(s.Methods()) {
			lines = append(lines, fmt.Sprintf("%s(%s stream %v) %s stream %v", m.FullName(), m.Input().FullName(),
				m.IsStreamingClient(), m.Output().FullName(), m.IsStreamingServer()))
		}
	}
	return lines
}

// all iterates over one of protoreflect's lists.
func all[D any](list interface {
	Len() int
	Get(int) D
}) func(func(D) bool) {
	return func(yield func(D) bool) {
		for i := range list.Len() {
			if !yield(list.Get(i)) {
				return
			}
		}
	}
}
