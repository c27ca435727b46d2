package host

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// program is an executable that was opened once, so that what is hashed is what runs.
type program struct {
	path   string
	file   *os.File
	sha256 string
	script bool
}

// openProgram opens and hashes path. It never blocks: a FIFO or device is refused.
func openProgram(path string) (*program, error) {
	if !filepath.IsAbs(path) {
		return nil, errors.New("its path is not absolute")
	}
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	p := &program{path: path, file: file}
	if err := p.read(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return p, nil
}

func (p *program) read() error {
	info, err := p.file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is not a regular file")
	}
	if info.Mode().Perm()&0o111 == 0 {
		return errors.New("it is not executable")
	}
	var magic [2]byte
	if _, err := p.file.ReadAt(magic[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	p.script = string(magic[:]) == "#!"
	hash := sha256.New()
	if _, err := io.Copy(hash, p.file); err != nil {
		return err
	}
	p.sha256 = hex.EncodeToString(hash.Sum(nil))
	return nil
}

// pinned tells whether the program has the given checksum; an empty one fits all.
func (p *program) pinned(sum string) bool {
	return sum == "" || strings.EqualFold(sum, p.sha256)
}

// link gives a path in dir that names the opened file itself, under the program's own name, for exec. A script has to
// go by its real path: its interpreter opens it again after the descriptor is closed.
func (p *program) link(dir string) (string, error) {
	if p.script {
		return p.path, nil
	}
	link := filepath.Join(dir, filepath.Base(p.path))
	target := fmt.Sprintf("/proc/self/fd/%d", p.file.Fd())
	if err := os.Symlink(target, link); err != nil {
		return "", err
	}
	return link, nil
}

func (p *program) close() error { return p.file.Close() }
