package main_test

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// The commands with which scripts prove that bad input is answered with one clear line.

// refused CODE PROGRAM ARGS...: the program ends with that exit code, prints nothing and says why on one line.
func refused(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != want {
		ts.Fatalf("%v, wanted exit status %d", err, want)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("standard output: %q", out)
	}
	line := ts.ReadFile("stderr")
	if strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "\n") || !strings.HasPrefix(line, "cleave") {
		ts.Fatalf("not one line of ours: %q", line)
	}
	clean(ts, false, []string{"stderr"})
}

// clean FILE...: no control character but the line feed, and nothing that is not UTF-8.
func clean(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		text := ts.ReadFile(name)
		i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f || r == 0xfffd })
		if i >= 0 {
			ts.Fatalf("%s: %q at byte %d: ...%q", name, text[i], i, text[max(0, i-100):min(len(text), i+100)])
		}
	}
}

// hostile DIR: names that no terminal should see, and everything that is not a regular file and this user may make.
func hostile(ts *testscript.TestScript, neg bool, args []string) {
	dir := ts.MkAbs(args[0])
	for name, text := range map[string]string{
		"latin\xff.md":              "# Latin\n\nThe okapi sleeps.\n",
		"two\nlines\x1b[31m.md":     "# Lines\n\nThe quagga sleeps.\n",
		"\x1b]0;title\a\r\x7f.md":   "# Title\n\nThe tapir sleeps.\n",
		"bad\nencoding\x1b[2J.md":   "Gr\xfc\xdfe\n",
		"broken.md":                 "Gr\xfc\xdfe\n",
		"bell.md":                   "# Bell\n\nThe numbat \x1b[31msleeps\a.\n",
		"\xe2\x80\xae" + "dm.txt":   "Right to left.\n",
		strings.Repeat("n", 255):    "A long name.\n",
		"nul.md":                    "The end\x00is near, and quite a lot of it is text.\n",
		"utf16.txt":                 "\xff\xfeA\x00b\x00",
		"mark.md":                   "\xef\xbb\xbf# Marked\n\nThe dugong sleeps.\n",
		"empty.md":                  "",
		"only-spaces.md":            " \n\t\n",
		"heading-only.md":           "#",
		filepath.Join("ok", "a.md"): "# Good\n\nThe civet sleeps.\n",
	} {
		path := filepath.Join(dir, name)
		ts.Check(os.MkdirAll(filepath.Dir(path), 0o755))
		ts.Check(os.WriteFile(path, []byte(text), 0o644))
	}
	ts.Check(syscall.Mkfifo(filepath.Join(dir, "fifo.md"), 0o644))
	ts.Check(os.Symlink("broken.md", filepath.Join(dir, "link.md")))
	ts.Check(os.Symlink(dir, filepath.Join(dir, "loop")))
	occupy(ts, false, []string{filepath.Join(args[0], "socket.md")})
	if os.Getuid() == 0 {
		err := syscall.Mknod(filepath.Join(dir, "device.md"), syscall.S_IFCHR|0o644, 1<<8|3) // /dev/null
		if err != nil && !errors.Is(err, syscall.EPERM) {                                    // a container may forbid it
			ts.Fatalf("device: %v", err)
		}
	}
}

// longLine FILE N: one line of N characters.
func longLine(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	words := []byte("the valve of pump seven was opened at nine bar and ")
	text := bytes.Repeat(words, n/len(words)+1)[:n]
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), text, 0o644))
}

// reachable DIR...: lets every user pass through the folders above DIR, which the test made for itself.
func reachable(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		for dir := ts.MkAbs(name); dir != filepath.Clean(os.TempDir()) && dir != "/"; dir = filepath.Dir(dir) {
			info, err := os.Stat(dir)
			ts.Check(err)
			ts.Check(os.Chmod(dir, info.Mode().Perm()|0o055))
		}
	}
}

// occupy PATH: a socket at which somebody listens until the script ends.
func occupy(ts *testscript.TestScript, neg bool, args []string) {
	l, err := net.Listen("unix", ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Defer(func() { _ = l.Close() })
}
