package main_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs the real binaries, with real plugins, a real store and a real socket (G1). Each script gets a
// directory with a tree/ to watch and a config.toml that names it as the source "docs".
func TestScripts(t *testing.T) {
	bin := build(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", bin+":"+os.Getenv("PATH"))
			env.Setenv("CLEAVE_SOCKET", filepath.Join(env.WorkDir, "run", "cleave.sock"))
			env.Setenv("PLUGINS", filepath.Join(bin, "plugins"))
			env.Values[daemonKey] = &daemons{dir: env.WorkDir, plugins: filepath.Join(bin, "plugins")}
			if err := os.MkdirAll(filepath.Join(env.WorkDir, "run"), 0o755); err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Join(env.WorkDir, "tree"), 0o755); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(env.WorkDir, "config.toml"), []byte(configFor(env.WorkDir)), 0o644)
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "root": // may become another user
				return os.Getuid() == 0, nil
			case "race": // the daemon is some ten times slower
				return len(raceFlags) > 0, nil
			}
			return false, fmt.Errorf("condition %q is not known", cond)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"start":     start,
			"sigterm":   sigterm, // not stop: that is testscript's own, which ends the script
			"kill9":     kill9,
			"many":      many,
			"binary":    binary,
			"pairs":     pairs,
			"moody":     moody,
			"samefield": sameField,
			"killfirst": killFirst,
			"killedit":  killEdit,
			"until":     until,
			"refused":   refused,
			"clean":     clean,
			"hostile":   hostile,
			"longline":  longLine,
			"reachable": reachable,
			"occupy":    occupy,
			"showall":   showAll,
			"hangup":    hangup,
			"stopnow":   stopNow,
		},
	})
}

// configFor is the configuration a script starts with. Scripts that need another write their own.
func configFor(dir string) string {
	return fmt.Sprintf(`state_dir  = %q
socket     = %q
[chunking]
max_tokens = 120
tokenizer  = "cl100k_base"
[watch]
rescan     = "1h"
[[source]]
name       = "docs"
root       = %q
`, filepath.Join(dir, "state"), filepath.Join(dir, "run", "cleave.sock"), filepath.Join(dir, "tree"))
}

// build makes the binaries once for all scripts.
func build(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	plugins := filepath.Join(bin, "plugins")
	for out, pkg := range map[string]string{
		filepath.Join(bin, "cleaved"):                     "./cmd/daemon",
		filepath.Join(bin, "cleave"):                      "./cmd/cleave",
		filepath.Join(plugins, "cleave-plugin-markdown"):  "./plugins/markdown",
		filepath.Join(plugins, "cleave-plugin-text"):      "./plugins/text",
		filepath.Join(bin, "moody", "cleave-plugin-test"): "./sdk/host/testdata/testplugin",
		filepath.Join(bin, "dying", "cleave-plugin-test"): "./sdk/host/testdata/testplugin",
	} {
		args := []string{"build", "-o", out}
		switch {
		case pkg == "./cmd/daemon":
			args = append(args, raceFlags...)
		case filepath.Base(filepath.Dir(out)) == "dying":
			args = append(args, "-ldflags", "-X main.always=CRASH")
		}
		cmd := exec.Command("go", append(args, pkg)...)
		cmd.Dir = "../.."
		if msg, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go build %s: %v\n%s", pkg, err, msg)
		}
	}
	return bin
}

type keyType struct{}

var daemonKey = keyType{}

// daemons is the daemon of one script.
type daemons struct {
	dir, plugins string
	pluginDir    string     // instead of plugins, where a script set it
	mu           sync.Mutex // guards cmd, which the script's clean-up reads too
	cmd          *exec.Cmd
	exited       chan error
}

// readyWithin and stopWithin bound what the contract bounds; a loaded machine gets more for the start.
const (
	readyWithin = 60 * time.Second
	stopWithin  = 10 * time.Second
)

// start runs cleaved with the given arguments in the background and returns when it says READY.
func start(ts *testscript.TestScript, neg bool, args []string) {
	d := ts.Value(daemonKey).(*daemons)
	notify := filepath.Join(d.dir, "run", "notify")
	_ = os.Remove(notify) // of an earlier start
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: notify, Net: "unixgram"})
	ts.Check(err)
	defer conn.Close()
	log, err := os.OpenFile(filepath.Join(d.dir, "cleaved.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	ts.Check(err)
	defer log.Close()
	args = append([]string{"--config", filepath.Join(d.dir, "config.toml"), "--plugin-dir", cmp.Or(d.pluginDir, d.plugins)}, args...)
	cmd := exec.Command(filepath.Join(filepath.Dir(d.plugins), "cleaved"), args...)
	// A daemon built with the race detector ends at the first race, so that no script can pass it by.
	cmd.Env = append(os.Environ(), "NOTIFY_SOCKET="+notify, "GORACE=halt_on_error=1")
	cmd.Stdout, cmd.Stderr = log, log
	ts.Check(cmd.Start())
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	d.mu.Lock()
	d.cmd, d.exited = cmd, exited
	d.mu.Unlock()
	ts.Defer(func() { _ = d.end(syscall.SIGKILL) }) // nothing may outlive the script
	ready := make(chan error, 1)
	go func() { ready <- waitReady(conn) }()
	select {
	case err := <-ready:
		if err != nil || neg {
			ts.Fatalf("start: ready (%v), wanted failure: %v", err, neg)
		}
	case err := <-exited:
		exited <- err
		if !neg {
			ts.Fatalf("cleaved ended before READY: %v\n%s", err, tail(log.Name()))
		}
	}
}

func waitReady(conn *net.UnixConn) error {
	buf := make([]byte, 4096)
	if err := conn.SetReadDeadline(time.Now().Add(readyWithin)); err != nil {
		return err
	}
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return fmt.Errorf("no READY: %w", err)
		}
		if strings.Contains(string(buf[:n]), "READY=1") {
			return nil
		}
	}
}

// end sends sig and waits for the daemon to end.
func (d *daemons) end(sig syscall.Signal) error {
	d.mu.Lock()
	cmd, exited := d.cmd, d.exited
	d.cmd = nil
	d.mu.Unlock()
	if cmd == nil {
		return errors.New("no daemon runs")
	}
	if err := cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case err := <-exited:
		return err
	case <-time.After(stopWithin):
		_ = cmd.Process.Kill()
		return fmt.Errorf("still running %s after %s", stopWithin, sig)
	}
}

func sigterm(ts *testscript.TestScript, neg bool, args []string) {
	d := ts.Value(daemonKey).(*daemons)
	if err := d.end(syscall.SIGTERM); (err != nil) != neg {
		ts.Fatalf("sigterm: %v\n%s", err, tail(filepath.Join(d.dir, "cleaved.log")))
	}
}

func kill9(ts *testscript.TestScript, neg bool, args []string) {
	d := ts.Value(daemonKey).(*daemons)
	err := d.end(syscall.SIGKILL)
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		ts.Fatalf("kill9: %v", err)
	}
}

// many DIR N: writes N documents into DIR.
func many(ts *testscript.TestScript, neg bool, args []string) {
	dir := ts.MkAbs(args[0])
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.MkdirAll(dir, 0o755))
	for i := range n {
		text := fmt.Sprintf("# Note %d\n\nValve %d opens at %d bar.\n\n## Detail\n\n%s\n", i, i, i%17, strings.Repeat("The gasket was checked and found good. ", 20))
		ts.Check(os.WriteFile(filepath.Join(dir, fmt.Sprintf("note-%05d.md", i)), []byte(text), 0o644))
	}
}

// binary FILE: writes a file that no decoder takes for text: the signature and the first chunk of a PNG image.
func binary(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06"), 0o644))
}

// moody adds the test plugin, whose behaviour the first line of a *.test file chooses, with a deadline of a second.
func moody(ts *testscript.TestScript, neg bool, args []string) {
	d := ts.Value(daemonKey).(*daemons)
	own := filepath.Join(d.dir, "plugins")
	ts.Check(os.Mkdir(own, 0o755))
	bin := filepath.Dir(d.plugins)
	for _, from := range []string{
		filepath.Join(d.plugins, "cleave-plugin-markdown"), filepath.Join(d.plugins, "cleave-plugin-text"), filepath.Join(bin, "moody", "cleave-plugin-test"),
	} {
		ts.Check(os.Link(from, filepath.Join(own, filepath.Base(from))))
	}
	config, err := os.OpenFile(filepath.Join(d.dir, "config.toml"), os.O_APPEND|os.O_WRONLY, 0)
	ts.Check(err)
	_, err = config.WriteString("[[plugin]]\nname = \"test\"\ncommand = [\"cleave-plugin-test\"]\ntimeout = \"1s\"\n")
	ts.Check(errors.Join(err, config.Close()))
	d.pluginDir = own
}

// pairs DIR N: publishes N generations in which left.md and right.md are rewritten together, while readers ask for both
// all the time. No answer may hold two different words, and each must name the generation it is from.
func pairs(ts *testscript.TestScript, neg bool, args []string) {
	dir := ts.MkAbs(args[0])
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	done := make(chan struct{})
	mixed := make(chan string, readers)
	var wg sync.WaitGroup
	for range readers {
		wg.Go(func() { mixed <- readPairs(ts, done) })
	}
	for i := 1; i <= n; i++ {
		for _, side := range []string{"left", "right"} {
			text := fmt.Sprintf("# %s\n\ntoken-%03d stands %s\n", side, i, side)
			ts.Check(os.WriteFile(filepath.Join(dir, side+".md"), []byte(text), 0o644))
		}
		ts.Check(ts.Exec("cleave", "scan", "--wait"))
	}
	close(done)
	wg.Wait()
	close(mixed)
	for m := range mixed {
		if m != "" {
			ts.Fatalf("an answer mixes generations: %s", m)
		}
	}
}

// readers is how many ask at once while generations are published.
const readers = 4

var pairWord = regexp.MustCompile(`token-\d{3}`)

// readPairs asks until done is closed and returns the first answer that holds two words, or why it could not ask.
func readPairs(ts *testscript.TestScript, done <-chan struct{}) string {
	asked := 0
	for {
		select {
		case <-done:
			if asked == 0 {
				return "no question was answered"
			}
			return ""
		default:
		}
		cmd := exec.Command(filepath.Join(filepath.Dir(ts.Getenv("PLUGINS")), "cleave"), "query", "--json", "--expand", "none", "stands")
		cmd.Env = append(os.Environ(), "CLEAVE_SOCKET="+ts.Getenv("CLEAVE_SOCKET"))
		out, err := cmd.Output()
		if err != nil {
			return err.Error()
		}
		asked++
		words := pairWord.FindAllString(string(out), -1)
		for _, w := range words {
			if w != words[0] {
				return string(out)
			}
		}
		if len(words) < 2 {
			return "a side is missing: " + string(out)
		}
	}
}

// samefield NAME A B: the first field of that name has the same value in both JSON files.
func sameField(ts *testscript.TestScript, neg bool, args []string) {
	field := regexp.MustCompile(`"` + args[0] + `":([^,}]*)`)
	a, b := field.FindString(ts.ReadFile(args[1])), field.FindString(ts.ReadFile(args[2]))
	if a == "" || (a == b) == neg {
		ts.Fatalf("%s: %q in %s, %q in %s", args[0], a, args[1], b, args[2])
	}
}

// showall: show finds each chunk of `ls --chunks` by its ID, in the head and by the number of its generation, with the
// same text.
func showAll(ts *testscript.TestScript, neg bool, args []string) {
	var list struct {
		Generation uint64                      `json:"generation"`
		Chunks     []struct{ ID, Text string } `json:"chunks"`
	}
	ts.Check(ts.Exec("cleave", "ls", "--chunks", "--json"))
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &list))
	if len(list.Chunks) == 0 {
		ts.Fatalf("ls --chunks lists none")
	}
	for _, c := range list.Chunks {
		for _, generation := range []uint64{0, list.Generation} {
			var one struct{ Chunk struct{ ID, Text string } }
			ts.Check(ts.Exec("cleave", "show", c.ID, "--json", "--generation", strconv.FormatUint(generation, 10)))
			ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &one))
			if one.Chunk != c {
				ts.Fatalf("show %s, generation %d: got %+v, want %+v", c.ID, generation, one.Chunk, c)
			}
		}
	}
}

func tail(file string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	return string(data[max(0, len(data)-4000):])
}
