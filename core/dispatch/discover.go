package dispatch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// programPrefix begins the name of a plugin's program.
const programPrefix = "cleave-plugin-"

// Discover lists the plugins in dir: every executable file named cleave-plugin-NAME, sorted by name.
func Discover(dir string) ([]Plugin, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list plugins: %w", err)
	}
	var found []Plugin
	for _, entry := range entries {
		name, ok := strings.CutPrefix(entry.Name(), programPrefix)
		if !ok || name == "" {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0 {
			continue // removed since, a dangling link, a folder, or data beside a plugin
		}
		found = append(found, Plugin{Name: name, Command: []string{path}})
	}
	return found, nil
}
