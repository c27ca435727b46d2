package scan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cleave-project/cleave/core/glob"
	"github.com/cleave-project/cleave/core/ignore"
	"golang.org/x/sys/unix"
)

// ignoreFiles are read in every folder; the first has the last word.
var ignoreFiles = [...]string{".cleaveignore", ".gitignore"}

// maxIgnoreFile bounds an ignore file, in bytes. Real ones have some hundred lines.
const maxIgnoreFile = 1 << 20

// leaveOut says why an entry is left out by its name or kind; "" where it is not.
func (w *walker) leaveOut(path string, e entry) Reason {
	dir := e.kind == kindDir
	switch {
	case e.name[0] == '.' && !w.options.Hidden:
		return Hidden
	case e.name == ".git", w.ignored(path, dir):
		return Ignored
	case w.excluded(path, dir):
		return Excluded
	}
	return e.kind.reason()
}

// ignored asks the ignore files from the nearest to the root's. Those of folders further in cannot take back what a
// folder further out leaves out, since that folder is never entered.
func (w *walker) ignored(path string, dir bool) bool {
	for _, f := range slices.Backward(w.stack) {
		for _, rules := range f.ignores {
			if v := rules.Match(path[len(f.path):], dir); v != ignore.Silent {
				return v == ignore.Ignored
			}
		}
	}
	return false
}

func (w *walker) excluded(path string, dir bool) bool {
	return slices.ContainsFunc(w.options.Exclude, func(pattern string) bool {
		if glob.Match(pattern, path) {
			return true
		}
		above, all := strings.CutSuffix(pattern, "/**")
		return dir && all && glob.Match(above, path)
	})
}

func (w *walker) included(path string) bool {
	return len(w.options.Include) == 0 ||
		slices.ContainsFunc(w.options.Include, func(pattern string) bool { return glob.Match(pattern, path) })
}

// readIgnores reads the ignore files among the entries of f. One that cannot be read makes f unreadable: what it would
// have left out is not known.
func (w *walker) readIgnores(f *folder) error {
	for _, name := range ignoreFiles {
		if !slices.Contains(f.entries, entry{name: name, kind: kindFile}) {
			continue
		}
		data, err := w.readIgnore(f.fd, name)
		if err != nil {
			return fmt.Errorf("read %q: %w", f.path+name, err)
		}
		if rules := ignore.Parse(data); !rules.Empty() {
			f.ignores = append(f.ignores, rules)
		}
	}
	return nil
}

// readIgnore returns nothing where name is no regular file any more.
func (w *walker) readIgnore(dir int, name string) ([]byte, error) {
	fd, err := w.sys.open(dir, name, openFile)
	if isOther(err) || errors.Is(err, unix.ENXIO) { // ENXIO: a socket by now
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	if err := w.sys.fstat(fd, &w.st); err != nil || kindOf(w.st.Mode) != kindFile {
		return nil, err
	}
	if w.st.Size > maxIgnoreFile {
		return nil, &unreadable{fmt.Errorf("%d bytes are more than %d", w.st.Size, maxIgnoreFile)}
	}
	return readAll(w.sys, fd, w.st.Size)
}
