package ingest_test

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// editor changes a tree at random.
type editor struct {
	t    *testing.T
	tree string
	rand *rand.Rand
	log  []string
	made int
}

func (e *editor) last(n int) []string { return e.log[max(0, len(e.log)-n):] }

// edit makes one change. One that the tree is too small for is another one instead.
func (e *editor) edit() {
	kinds := []struct {
		name string
		do   func() string
	}{
		{"create", e.create}, {"create", e.create}, {"create", e.create}, {"edit", e.insert}, {"append", e.append},
		{"truncate", e.truncate}, {"rename", e.rename}, {"rename directory", e.renameDir}, {"delete", e.delete},
		{"chmod", e.chmod}, {"touch", e.touch}, {"copy", e.copy}, {"swap", e.swap}, {"file to directory", e.fileToDir},
		{"directory to file", e.dirToFile}, {"symlink", e.symlink}, {"binary", e.binary}, {"too large", e.tooLarge},
		{"ignore", e.ignore}, {"invalid", e.invalid}, {"repair", e.repair}, {"empty", e.empty}, {"crash", e.crash},
		{"refuse", e.refuse}, {"quiet edit", e.quietEdit}, {"put back", e.putBack},
	}
	for {
		k := kinds[e.rand.IntN(len(kinds))]
		if what := k.do(); what != "" {
			e.log = append(e.log, k.name+" "+what)
			return
		}
	}
}

// list gives the tree's regular files, or its directories without the root, in order.
func (e *editor) list(dirs bool) []string {
	var all []string
	must(e.t, filepath.WalkDir(e.tree, func(path string, d fs.DirEntry, err error) error {
		if err == nil && path != e.tree && d.IsDir() == dirs && (dirs || d.Type().IsRegular()) && d.Name() != ".gitignore" {
			all = append(all, path)
		}
		return err
	}))
	return all
}

func (e *editor) pick(from []string) string {
	if len(from) == 0 {
		return ""
	}
	return from[e.rand.IntN(len(from))]
}

func (e *editor) file() string { return e.pick(e.list(false)) }

// dir is a directory of the tree, often the root.
func (e *editor) dir() string { return e.pick(append(e.list(true), e.tree)) }

// free is a path that nothing is at, now and then in a new directory; its name need not be UTF-8.
func (e *editor) free() string {
	dir := e.dir()
	e.made++
	if e.rand.IntN(4) == 0 && strings.Count(dir, "/")-strings.Count(e.tree, "/") < 4 {
		dir = filepath.Join(dir, fmt.Sprintf("d%d", e.made))
		must(e.t, os.Mkdir(dir, 0o755))
	}
	return filepath.Join(dir, fmt.Sprintf("f%d%s", e.made, e.pick([]string{".md", ".md", ".txt", ".test", "\xff.md", ".MD", ".ipynb", " space.txt"})))
}

// words makes texts in which pieces recur, so that equal files and equal paragraphs come about.
func (e *editor) words() string {
	return paragraphs(e.pick([]string{"valve", "gasket", "lamp"}), 1+e.rand.IntN(4))
}

func (e *editor) write(path, text string) string {
	must(e.t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func (e *editor) read(path string) string {
	data, err := os.ReadFile(path)
	must(e.t, err)
	return string(data)
}

func (e *editor) create() string { return e.write(e.free(), e.words()) }

func (e *editor) insert() string {
	path := e.file()
	if path == "" {
		return ""
	}
	text := e.read(path)
	at := e.rand.IntN(len(text) + 1)
	return e.write(path, text[:at]+"\n\nPut in between.\n\n"+text[at:])
}

func (e *editor) append() string {
	path := e.file()
	if path == "" {
		return ""
	}
	return e.write(path, e.read(path)+"\nOne more line.\n")
}

func (e *editor) truncate() string {
	path := e.file()
	if path == "" {
		return ""
	}
	text := e.read(path)
	return e.write(path, text[:len(text)/2])
}

func (e *editor) rename() string { return e.moveTo(e.file(), e.free()) }

// renameDir moves a directory to a new name beside it.
func (e *editor) renameDir() string {
	dir := e.pick(e.list(true))
	e.made++
	return e.moveTo(dir, filepath.Join(filepath.Dir(dir), fmt.Sprintf("d%d", e.made)))
}

func (e *editor) moveTo(from, to string) string {
	if from == "" {
		return ""
	}
	must(e.t, os.Rename(from, to))
	return from + " to " + to
}

func (e *editor) delete() string {
	path := e.pick(append(e.list(false), e.list(true)...))
	if path == "" {
		return ""
	}
	must(e.t, os.RemoveAll(path))
	return path
}

func (e *editor) chmod() string {
	path := e.file()
	if path == "" {
		return ""
	}
	must(e.t, os.Chmod(path, fs.FileMode(0o444+e.rand.IntN(2)*0o200+e.rand.IntN(4)))) // this user reads it in any case
	return path
}

// touch sets any time, later than the scan's clock too.
func (e *editor) touch() string {
	path := e.file()
	if path == "" {
		return ""
	}
	when := time.Now().Add(time.Duration(e.rand.IntN(100)-90) * time.Hour)
	must(e.t, os.Chtimes(path, when, when))
	return path
}

func (e *editor) copy() string {
	path := e.file()
	if path == "" {
		return ""
	}
	return path + " to " + e.write(e.free(), e.read(path))
}

func (e *editor) swap() string {
	a, b := e.file(), e.file()
	if a == b {
		return ""
	}
	aside := filepath.Join(e.tree, "aside")
	must(e.t, cmp.Or(os.Rename(a, aside), os.Rename(b, a), os.Rename(aside, b)))
	return a + " and " + b
}

func (e *editor) fileToDir() string {
	path := e.file()
	if path == "" {
		return ""
	}
	must(e.t, cmp.Or(os.Remove(path), os.Mkdir(path, 0o755)))
	e.write(filepath.Join(path, "in.md"), e.words())
	return path
}

func (e *editor) dirToFile() string {
	path := e.pick(e.list(true))
	if path == "" {
		return ""
	}
	must(e.t, os.RemoveAll(path))
	return e.write(path, e.words())
}

func (e *editor) symlink() string {
	to, at := e.file(), e.free()
	if to == "" {
		return ""
	}
	must(e.t, os.Symlink(to, at))
	return at + " to " + to
}

func (e *editor) binary() string {
	path := e.file()
	if path == "" {
		return ""
	}
	return e.write(path, "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01")
}

func (e *editor) tooLarge() string {
	path := e.file()
	if path == "" {
		return ""
	}
	return e.write(path, strings.Repeat("Too much of it. ", 5000))
}

func (e *editor) ignore() string {
	return e.write(filepath.Join(e.dir(), ".gitignore"), e.pick([]string{"", "*.txt\n", "f1*\n", "d*/\n", "f2*\n!*.md\n"}))
}

func (e *editor) invalid() string {
	path := e.file()
	if path == "" {
		return ""
	}
	return e.write(path, "Gr\xfc\xdfe\n")
}

func (e *editor) repair() string {
	for _, path := range e.list(false) {
		if text := e.read(path); strings.Contains(text, "\xfc\xdf") || strings.HasPrefix(text, "CRASH") || strings.HasPrefix(text, "REFUSE") {
			return e.write(path, e.words())
		}
	}
	return ""
}

func (e *editor) empty() string {
	path := e.file()
	if path == "" {
		return ""
	}
	return e.write(path, "")
}

// crash and refuse leave one file each that the test plugin dies of or refuses: a plugin that fails often in a row
// rests, and takes good files with it.
func (e *editor) crash() string  { return e.poison("CRASH\n") }
func (e *editor) refuse() string { return e.poison("REFUSE\n") }

func (e *editor) poison(text string) string {
	var good []string
	for _, path := range e.list(false) {
		switch {
		case e.read(path) == text:
			return ""
		case strings.HasSuffix(path, ".test"):
			good = append(good, path)
		}
	}
	if path := e.pick(good); path != "" {
		return e.write(path, text)
	}
	return ""
}

// quietEdit changes bytes and leaves size and modified time as they were: only ctime tells.
func (e *editor) quietEdit() string {
	path := e.file()
	if path == "" {
		return ""
	}
	info, err := os.Stat(path)
	must(e.t, err)
	e.write(path, strings.ReplaceAll(e.read(path), "valve", "value"))
	must(e.t, os.Chtimes(path, info.ModTime(), info.ModTime()))
	return path
}

// putBack gives a file another's text, or what it had in another life.
func (e *editor) putBack() string {
	files := e.list(false)
	if len(files) < 2 {
		return ""
	}
	texts := map[string]bool{}
	for _, path := range files {
		texts[e.read(path)] = true
	}
	path, text := e.pick(files), e.pick(slices.Sorted(maps.Keys(texts)))
	return e.write(path, text)
}
