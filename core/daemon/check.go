package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cleave-project/cleave/core/config"
)

// Check says what of a configuration cannot work on this machine as it is: faults keep cleaved from starting, warnings
// cost a source until they are mended. It changes nothing. File is what the configuration was read from.
func Check(c *config.Config, file string) (faults []error, warnings []string) {
	d := &daemon{cfg: c, configFile: file, toks: newTokenizers(vocabularies{})}
	if _, err := pluginsOf(c); err != nil {
		faults = append(faults, err)
	}
	if err := d.checkPolicies(); err != nil {
		faults = append(faults, err)
	}
	if err := checkPlaces(c); err != nil {
		faults = append(faults, err)
	}
	if len(c.Sources) == 0 {
		warnings = append(warnings, "no source is configured: add a [[source]] with name and root")
	}
	for _, s := range c.Sources {
		if w := checkRoot(s); w != "" {
			warnings = append(warnings, w)
		}
	}
	return faults, warnings
}

// checkPlaces refuses a state directory inside a source: every scan would find what the one before has written.
func checkPlaces(c *config.Config) error {
	state := resolved(c.StateDir)
	for _, s := range c.Sources {
		if rel, err := filepath.Rel(resolved(s.Root), state); err == nil && rel != ".." && !strings.HasPrefix(rel, "../") {
			return fmt.Errorf("%w: state_dir %s lies inside the root of source %s, %s: cleave would index its own state (move one of them)",
				ErrConfig, c.StateDir, s.Name, s.Root)
		}
	}
	return nil
}

// resolved follows links as far as the path exists.
func resolved(path string) string {
	for rest := ""; ; {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(real, rest)
		}
		parent := filepath.Dir(path)
		if parent == path {
			return filepath.Join(path, rest)
		}
		path, rest = parent, filepath.Join(filepath.Base(path), rest)
	}
}

func checkRoot(s config.Source) string {
	info, err := os.Stat(s.Root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("source %s: root %s does not exist: it will be unavailable until it does", s.Name, s.Root)
	case err != nil:
		return fmt.Sprintf("source %s: %v", s.Name, err)
	case !info.IsDir():
		return fmt.Sprintf("source %s: root %s is not a directory: it will be unavailable", s.Name, s.Root)
	}
	return ""
}
