package store_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

const crashDir = "CLEAVE_TEST_CRASH_DIR"

// TestMain makes the test binary the process that is killed, or the one that opens a damaged store or fills
// its disk.
func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		fmt.Println("error", publishForEver(dir)) // it only returns when something is wrong
		os.Exit(1)
	}
	if dir := os.Getenv(damageDir); dir != "" {
		fmt.Println(readDamaged(dir))
		os.Exit(0)
	}
	if dir := os.Getenv(fullDir); dir != "" {
		fmt.Println(closeFull(dir))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// publishForEver prints the number of each generation once it is acknowledged.
func publishForEver(dir string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, dir, store.Options{})
	if err != nil {
		return err
	}
	for {
		err := s.Stage(ctx, docs, func(st *store.Stage) error {
			parent, _ := st.Parent()
			update, err := nextUpdate(ctx, st, int(parent.Number)+1)
			if err != nil {
				return err
			}
			g, _, err := st.Publish(ctx, update)
			if err == nil {
				fmt.Println("acknowledged", g.Number)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
}

// nextUpdate is generation n: ten documents of its own, every one of which names n, in place of the ones before.
func nextUpdate(ctx context.Context, st *store.Stage, n int) (store.Update, error) {
	var u store.Update
	for i := range 10 {
		text := append(fmt.Appendf(nil, "generation %d\n", n), prose(n*10+i, 50_000)...)
		doc, chunks := document(text)
		id, err := st.PutDocument(ctx, doc, text, chunks, nil)
		if err != nil {
			return u, err
		}
		e := object.Entry{Doc: id, Bytes: int64(len(text)), Chunks: len(chunks)}
		u.Edits = append(u.Edits, store.Edit{Path: object.Path(fmt.Sprintf("doc-%d", i)), Entry: &e})
	}
	return u, nil
}

// Killed at any instant, a store reopens by itself at a generation that is at least the last acknowledged one,
// complete and unmixed (I1).
func TestKilledAtAnyInstant(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes and kills them")
	}
	const rounds, seed = 20, 7
	rng := rand.New(rand.NewPCG(seed, seed))
	dir, last := t.TempDir(), uint64(0)
	for round := range rounds {
		// Every fourth is killed while it opens the store, the others some time after an acknowledgement.
		acknowledgements, delay := round%4, time.Duration(rng.IntN(80))*time.Millisecond
		acknowledged := killed(t, dir, acknowledgements, delay)
		last = max(last, acknowledged)
		s, err := store.Open(context.Background(), dir, store.Options{})
		if err != nil {
			t.Fatalf("round %d: open: %v", round, err)
		}
		check(t, s)
		h, err := s.Head(context.Background(), docs)
		if last > 0 && (err != nil || h.Number < last) {
			t.Fatalf("round %d: head %d (%v), %d was acknowledged", round, h.Number, err, last)
		}
		if err == nil {
			unmixed(t, s, h)
		}
		last = max(last, h.Number)
		if err := s.Close(); err != nil {
			t.Fatalf("round %d: close: %v", round, err)
		}
	}
	t.Logf("%d rounds, %d generations", rounds, last)
	if last < rounds*3/4 {
		t.Errorf("only %d generations in %d rounds: the kills come too early to mean anything", last, rounds)
	}
}

func unmixed(t *testing.T, s *store.Store, h object.Generation) {
	t.Helper()
	want := fmt.Sprintf("generation %d\n", h.Number)
	got := texts(t, pin(t, s, docs, 0))
	if len(got) != 10 {
		t.Errorf("generation %d has %d documents", h.Number, len(got))
	}
	for p, text := range got {
		if !strings.HasPrefix(string(text), want) {
			t.Errorf("generation %d: %s is of another", h.Number, p)
		}
	}
}

// killed runs the publisher, kills it some time after so many acknowledgements, and returns the last number it
// acknowledged.
func killed(t *testing.T, dir string, acknowledgements int, delay time.Duration) uint64 {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashDir+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := func() { _ = cmd.Process.Kill() } // Wait tells whether it worked
	if acknowledgements == 0 {
		time.AfterFunc(delay, kill)
	}
	var last uint64
	for lines := bufio.NewScanner(out); lines.Scan(); {
		number, ok := strings.CutPrefix(lines.Text(), "acknowledged ")
		n, err := strconv.ParseUint(number, 10, 64)
		if !ok || err != nil {
			t.Errorf("publisher: %s", lines.Text())
			continue
		}
		last = n
		if acknowledgements--; acknowledgements == 0 {
			time.AfterFunc(delay, kill)
		}
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
		t.Errorf("the publisher was not killed: %v", cmd.ProcessState)
	}
	return last
}
