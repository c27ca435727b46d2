package main_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// The commands with which scripts prove that a kill -9 at any instant leaves one complete generation or the other
// (C2, I1), and that the next scan ends where a fresh build does (I8). The instants come from a seed that is printed;
// KILL_SEED=N repeats it, as far as the machine does.

// killDocs is how many documents a killed scan has: some hundred milliseconds of work.
const killDocs = 150

// editions are the words of the two texts that every document of the tree alternates between.
var editions = []string{"amber", "cobalt"}

// edition writes the tree with the given text. Times are set, since they are in the entries: equal editions have equal
// roots.
func edition(ts *testscript.TestScript, dir string, n int) {
	ts.Check(os.MkdirAll(dir, 0o755))
	when := time.Unix(1_700_000_000+int64(n), 0)
	for i := range killDocs {
		path := filepath.Join(dir, fmt.Sprintf("note-%03d.md", i))
		text := fmt.Sprintf("# Note %d\n\nThe %s lamp of tower %d is lit.\n\n## Detail\n\nNobody put it out in the night.\n", i, editions[n], i)
		ts.Check(os.WriteFile(path, []byte(text), 0o644))
		ts.Check(os.Chtimes(path, when, when))
	}
}

// instants are seeded moments within a scan that takes about d, and a little after.
func instants(ts *testscript.TestScript, n int, d time.Duration) []time.Duration {
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("KILL_SEED"); s != "" {
		var err error
		seed, err = strconv.ParseUint(s, 10, 64)
		ts.Check(err)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	all := make([]time.Duration, n)
	for i := range all {
		all[i] = time.Duration(r.Int64N(int64(d + d/4)))
	}
	ts.Logf("KILL_SEED=%d: %v", seed, all)
	return all
}

// freshRoot scans the tree into a new state directory and gives the root and how long it took.
func freshRoot(ts *testscript.TestScript, state string) (root string, took time.Duration) {
	began := time.Now()
	start(ts, false, []string{"--state-dir", ts.MkAbs(state)})
	ts.Check(ts.Exec("cleave", "scan", "--wait"))
	took = time.Since(began)
	root = rootHash(ts)
	sigterm(ts, false, nil)
	return root, took
}

// rootHash is the root that the running daemon serves, and what it serves is indexed; "" while there is none.
func rootHash(ts *testscript.TestScript) string {
	ts.Check(ts.Exec("cleave", "status", "--json"))
	var status struct {
		Sources []struct {
			RootHash   string `json:"root_hash"`
			Generation uint64 `json:"generation"`
			Documents  int    `json:"documents"`
		} `json:"sources"`
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &status))
	s := status.Sources[0]
	if s.Generation > 0 && s.Documents != killDocs {
		ts.Fatalf("generation %d has %d documents, not %d", s.Generation, s.Documents, killDocs)
	}
	return s.RootHash
}

// finds asks for the edition's word: every passage that comes back is of that edition.
func finds(ts *testscript.TestScript, n int) {
	ts.Check(ts.Exec("cleave", "query", "--json", "-k", "3", editions[n]+" lamp"))
	out := ts.ReadFile("stdout")
	if !regexp.MustCompile(editions[n]).MatchString(out) || regexp.MustCompile(editions[1-n]).MatchString(out) {
		ts.Fatalf("edition %s is asked for: %s", editions[n], out)
	}
}

// after waits for d, which is what the proof is about and no wait for something to happen.
func after(d time.Duration) { <-time.After(d) }

// killFirst DIR N: kills N first scans of DIR, each at another instant and in a state directory of its own.
func killFirst(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	edition(ts, ts.MkAbs(args[0]), 0)
	want, took := freshRoot(ts, "fresh")
	for i, d := range instants(ts, n, took) {
		state := []string{"--state-dir", ts.MkAbs(fmt.Sprintf("first-%d", i))}
		start(ts, false, state)
		after(d)
		kill9(ts, false, nil)
		start(ts, false, state)
		if root := rootHash(ts); root != "" && root != want {
			ts.Fatalf("killed after %v, the head is %s, neither none nor %s", d, root, want)
		}
		settles(ts, want, 0, d)
	}
}

// settles completes a scan, compares the head with a fresh build, asks a question and stops the daemon.
func settles(ts *testscript.TestScript, want string, n int, d time.Duration) {
	ts.Check(ts.Exec("cleave", "scan", "--wait"))
	if root := rootHash(ts); root != want {
		ts.Fatalf("killed after %v and scanned again, the root is %s; a fresh build has %s", d, root, want)
	}
	finds(ts, n)
	sigterm(ts, false, nil)
}

// killEdit DIR N: kills N scans that find every document of DIR edited, one after the other in one state directory.
func killEdit(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	var want [2]string
	var took time.Duration
	for e := range want {
		edition(ts, ts.MkAbs(args[0]), e)
		want[e], took = freshRoot(ts, "edition-"+editions[e])
	}
	for i, d := range instants(ts, n, took) {
		now := i % 2
		start(ts, false, nil)
		ts.Check(ts.Exec("cleave", "scan", "--wait")) // the scan at the start must not see half an edition
		edition(ts, ts.MkAbs(args[0]), now)
		ts.Check(ts.Exec("cleave", "scan"))
		after(d)
		kill9(ts, false, nil)
		start(ts, false, nil)
		if root := rootHash(ts); !slices.Contains(want[:], root) {
			ts.Fatalf("killed after %v, the head is %s, neither %s nor %s", d, root, want[1-now], want[now])
		}
		settles(ts, want[now], now, d)
	}
}

// until REGEXP PROGRAM ARGS...: runs the program until its output matches.
func until(ts *testscript.TestScript, neg bool, args []string) {
	want := regexp.MustCompile(args[0])
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(readyWithin); time.Now().Before(deadline); <-tick.C {
		if err := ts.Exec(args[1], args[2:]...); err == nil && want.MatchString(ts.ReadFile("stdout")) {
			return
		}
	}
	ts.Fatalf("%s did not come: %s", want, ts.ReadFile("stdout"))
}
