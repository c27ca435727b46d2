package control_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cleave-project/cleave/core/control"
)

// nobody is the uid that the helper process runs under.
const nobody = 65534

// TestHelper is not a test: asNobody runs it in a process of its own.
func TestHelper(t *testing.T) {
	path := os.Getenv("CLEAVE_TEST_SOCKET")
	if path == "" {
		t.Skip("runs only as the helper of other tests")
	}
	switch os.Getenv("CLEAVE_TEST_HELPER") {
	case "status":
		_, err := control.Dial(path).Status(t.Context(), control.StatusRequest{})
		fmt.Printf("answer: %v\n", err)
	case "idle":
		n := 0
		for range 600 {
			if c, err := net.Dial("unix", path); err == nil {
				defer c.Close()
				n++
			}
		}
		fmt.Printf("answer: %d\n", n)
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
}

// asNobody runs what of TestHelper as another user and gives its answer; it lives until stop.
func asNobody(t *testing.T, what, path string, groups ...uint32) (answer string, stop func()) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to be another user")
	}
	if err := os.Chmod(filepath.Dir(filepath.Dir(path)), 0o755); err != nil { // t.TempDir's parent has mode 0700
		t.Fatal(err)
	}
	cmd := exec.Command("/proc/self/exe", "-test.run=^TestHelper$", "-test.v") // the file itself lies in a private folder
	cmd.Env = []string{"CLEAVE_TEST_SOCKET=" + path, "CLEAVE_TEST_HELPER=" + what}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody, Groups: groups}}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if s, ok := strings.CutPrefix(lines.Text(), "answer: "); ok {
			return s, func() { stdin.Close(); _ = cmd.Wait() }
		}
	}
	t.Fatalf("helper ended without an answer: %v", cmd.Wait())
	return "", nil
}

func rootOnly(c control.Caller) bool { return c.UID == 0 }

func TestAnotherUser(t *testing.T) {
	f := &fake{}
	path := serve(t, f, control.Options{Admins: rootOnly, Who: "user:root"})
	answer, stop := asNobody(t, "status", path)
	stop()
	if !strings.HasPrefix(answer, "uid 65534 is not an administrator") || !strings.Contains(answer, "user:root") {
		t.Errorf("got %q", answer)
	}
	if f.caller.PID != 0 {
		t.Error("the service was asked")
	}
}

// TestManyGroups: more groups than the first buffer holds arrive all, as the kernel has them (E1).
func TestManyGroups(t *testing.T) {
	f := &fake{}
	path := serve(t, f, control.Options{Admins: admit})
	var groups []uint32
	for g := range uint32(100) {
		groups = append(groups, 70_000+g)
	}
	answer, stop := asNobody(t, "status", path, groups...)
	stop()
	if answer != "<nil>" || f.caller.UID != nobody || f.caller.GID != nobody || !slices.Equal(f.caller.Groups, groups) {
		t.Errorf("%s: %+v", answer, f.caller)
	}
}

func TestIdleConnectionsLeaveRoomForRoot(t *testing.T) {
	path := serve(t, &fake{}, control.Options{Admins: rootOnly})
	answer, stop := asNobody(t, "idle", path)
	defer stop()
	if answer != "600" {
		t.Errorf("%s connects, want all 600 to be taken or turned away", answer)
	}
	begin := time.Now()
	if _, err := control.Dial(path).Status(t.Context(), control.StatusRequest{}); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took > time.Second {
		t.Errorf("root waited %v", took)
	}
}

// raw sends request as it is and gives the answer, read to the connection's end.
func raw(t *testing.T, path, request string) string {
	t.Helper()
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = io.WriteString(c, request) // the server may hang up in the middle
	answer, _ := io.ReadAll(c)
	return string(answer)
}

func TestHugeRequests(t *testing.T) {
	f := &fake{}
	path := serve(t, f, control.Options{Admins: admit, MaxFile: 1000})
	if a := raw(t, path, "GET /v1/"+strings.Repeat("x", 1<<20)); !strings.HasPrefix(a, "HTTP/1.1 431") {
		t.Errorf("a request line of 1 MiB: %.100q", a)
	}
	a, err := control.Dial(path).Split(t.Context(), control.SplitRequest{Name: "big\xff.md", Content: make([]byte, 1001)})
	if err != nil || a.Error == nil || a.Error.Code != "too_large" || a.Document.PathB64 == "" || a.Document.Bytes != 1001 {
		t.Errorf("content above the limit: %+v, %v", a, err)
	}
	if f.split.Name != "" {
		t.Error("the service was asked")
	}
	for _, c := range []struct{ request, want string }{
		{"POST /v1/split HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "Content-Length"},
		{"POST /v1/split?vocabulary_bytes=9 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", "the body has 3"},
		{"POST /v1/split?vocabulary_bytes=-9 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", "the body has 3"},
		{"POST /v1/split?vocabulary_bytes=99999999 HTTP/1.1\r\nHost: x\r\nContent-Length: 199999999\r\n\r\nabc", "at most"},
	} {
		if a := raw(t, path, c.request); !strings.Contains(a, c.want) || !strings.Contains(a, `"exit":2`) {
			t.Errorf("%.60q: %q", c.request, a)
		}
	}
}

func TestOneRequestAConnection(t *testing.T) {
	path := serve(t, &fake{}, control.Options{Admins: admit})
	const request = "GET /v1/version HTTP/1.1\r\nHost: x\r\n\r\n"
	if a := raw(t, path, request+request); strings.Count(a, "HTTP/1.1 200") != 1 {
		t.Errorf("got %q", a)
	}
}

func TestSlowHeaderEndsItsConnection(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the header timeout of 5 s")
	}
	t.Parallel()
	path := serve(t, &fake{}, control.Options{Admins: admit})
	begin := time.Now()
	raw(t, path, "GET /v1/ver")
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("kept for %v", took)
	}
}
