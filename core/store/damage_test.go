package store_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

const damageDir = "CLEAVE_TEST_DAMAGE_DIR"

// damageLimit is how long a damaged store may take to open, to be read whole and to close.
const damageLimit = 30 * time.Second

// readDamaged opens a store, reads all of it and prints what came of it: "whole N" if all N documents of the head read
// as they should, else what is wrong.
func readDamaged(dir string) string {
	ctx := context.Background()
	s, err := store.Open(ctx, dir, store.Options{CloseTimeout: damageLimit / 3})
	if err != nil {
		return "refused: " + err.Error()
	}
	defer s.Close() // hanging or not, the process ends
	var problems []string
	if err := s.Check(ctx, func(p store.Problem) { problems = append(problems, p.String()) }); err != nil {
		return "check: " + err.Error()
	}
	if len(problems) > 0 {
		return fmt.Sprintf("%d problems: %s", len(problems), problems[0])
	}
	h, err := s.Head(ctx, docs)
	if err != nil {
		return "no head: " + err.Error()
	}
	return fmt.Sprintf("whole %d", h.Counts.Documents)
}

// Whatever happens to one of Badger's files, the store is refused, or says what is damaged, or is whole. It is never
// served with fewer documents, does not hang, and its process does not die.
func TestDamagedFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process for each kind of damage")
	}
	const documents = 200
	good := filepath.Join(t.TempDir(), "good")
	texts := map[object.Path][]byte{}
	for i := range documents {
		texts[object.Path(fmt.Sprint(i))] = prose(i, 30_000)
	}
	s := open(t, good)
	publish(t, s, docs, texts)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("second close: %v", err)
	}
	variants := damages(t, good)
	if len(variants) < 12 {
		t.Fatalf("%d kinds of damage: there are no tables", len(variants))
	}
	outcomes := map[string]int{}
	for name, damage := range variants {
		dir := filepath.Join(t.TempDir(), "state")
		if err := os.CopyFS(dir, os.DirFS(good)); err != nil {
			t.Fatal(err)
		}
		if err := damage(dir); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out := runDamaged(t, name, dir)
		t.Logf("%s: %.160s", name, out)
		if n, whole := strings.CutPrefix(out, "whole "); whole && n != fmt.Sprint(documents) {
			t.Errorf("%s: served as whole with %s documents", name, n)
		}
		if why, refused := strings.CutPrefix(out, "refused: "); refused && !tellsWhatToDo(why, dir) {
			t.Errorf("%s: refused without a word on what to do, or with too many: %s", name, why)
		}
		outcome, _, _ := strings.Cut(out, " ")
		outcomes[outcome]++
		os.RemoveAll(dir)
	}
	t.Logf("outcomes: %v", outcomes)
}

// tellsWhatToDo: a refusal is one line of a length that is read, which says what to move where.
func tellsWhatToDo(why, dir string) bool {
	const most = 160 // bytes, beside two mentions of the directory
	return len(why) <= most+2*len(dir) && !strings.Contains(why, "\n") && strings.Contains(why, dir) &&
		(strings.Contains(why, "move "+dir+" aside") || strings.Contains(why, "move it away"))
}

func runDamaged(t *testing.T, name, dir string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), damageLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), damageDir+"="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v: %.2000s", name, err, out)
	}
	return strings.TrimSpace(string(out))
}

// damages are ways to damage a copy of the store, by name.
func damages(t *testing.T, good string) map[string]func(dir string) error {
	t.Helper()
	tables, err := filepath.Glob(filepath.Join(good, "badger", "*.sst"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]func(string) error{}
	add := func(what, name string, f func(file string) error) {
		out[what+" "+name] = func(dir string) error { return f(filepath.Join(dir, "badger", name)) }
	}
	for _, table := range tables {
		name := filepath.Base(table)
		for _, percent := range []int64{1, 25, 50, 75, 95, 99} {
			add(fmt.Sprintf("byte flipped at %d %% of", percent), name, func(f string) error { return flip(f, percent) })
		}
		add("end zeroed of", name, zeroEnd)
		add("half cut off", name, func(f string) error { return truncateTo(f, 50) })
		add("removed", name, os.Remove)
	}
	add("removed", "MANIFEST", os.Remove)
	add("cut to 10 bytes", "MANIFEST", func(f string) error { return os.Truncate(f, 10) })
	add("byte flipped at 50 % of", "MANIFEST", func(f string) error { return flip(f, 50) })
	add("removed", "KEYREGISTRY", os.Remove)
	add("removed", "DISCARD", os.Remove)
	add("begins wrongly:", "KEYREGISTRY", wrongHead)
	logs, err := filepath.Glob(filepath.Join(good, "badger", "*.vlog"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("logs: %v %v", logs, err)
	}
	add("begins wrongly:", filepath.Base(logs[0]), wrongHead)
	return out
}

func flip(file string, percent int64) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	b[int64(len(b))*percent/100] ^= 0x10
	return os.WriteFile(file, b, 0o600)
}

func wrongHead(file string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	copy(b, "damaged from the first byte")
	return os.WriteFile(file, b, 0o600)
}

func zeroEnd(file string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	clear(b[max(0, len(b)-4096):])
	return os.WriteFile(file, b, 0o600)
}

func truncateTo(file string, percent int64) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	return os.Truncate(file, info.Size()*percent/100)
}
