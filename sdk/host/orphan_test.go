package host_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cleave-project/cleave/sdk"
	"github.com/cleave-project/cleave/sdk/host"
)

// hostMode makes this test binary a small host: it launches a plugin, prints its pid and hangs in a call.
const hostMode = "be-a-host"

func runHost(args []string) int {
	p, err := host.Launch(context.Background(), host.Options{Command: args[:1], SocketDir: args[1]})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println(p.Pid())
	_, err = p.Split(context.Background(), sdk.File{Content: []byte("HANG")})
	fmt.Println(err)
	return 1
}

// TestHostKilled: a plugin, even a busy and deaf one, is gone within 2 s of its host's SIGKILL (W26).
func TestHostKilled(t *testing.T) {
	cmd := exec.Command(os.Args[0], hostMode, testPlugin, socketDir(t))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatalf("the host says %q", line)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed, which is an error
	waitGone(t, pid, 2*time.Second)
}

// waitGone fails the test when the process is there after d.
func waitGone(t *testing.T, pid int, d time.Duration) {
	t.Helper()
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.Now().Add(d); running(pid); <-ticker.C {
		if time.Now().After(deadline) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("process %d is there after %v", pid, d)
		}
	}
}

// running is false for a zombie: it holds nothing but its number until its parent looks.
func running(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z") && !strings.HasPrefix(after, "X")
}
