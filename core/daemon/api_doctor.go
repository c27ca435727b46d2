package daemon

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cleave-project/cleave/core/config"
	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/dispatch"
)

// What doctor warns about. The numbers are chosen, not measured.
const (
	fewFiles   = 1024    // open files: the store and the index keep some hundreds
	lowDisk    = 1 << 30 // bytes free where the state lies
	oldestDate = 2026    // a clock before the year this was written in is wrong
	oneGiB     = 1 << 30
)

// Doctor looks for what would keep cleave from working here, and says what mends it.
func (d *daemon) Doctor(ctx context.Context, _ control.Caller, _ control.DoctorRequest) (control.DoctorAnswer, error) {
	checks := []control.Check{d.checkConfig(), checkOpenFiles(), d.checkDisk(), checkClock(time.Now())}
	for _, p := range d.plugins.Status() {
		checks = append(checks, checkPlugin(p))
	}
	if len(d.sources) == 0 {
		checks = append(checks, failed("sources", "no source is configured", "add a [[source]] with name and root to "+d.configFile))
	}
	for _, s := range d.sources {
		checks = append(checks, s.check())
	}
	return control.DoctorAnswer{Checks: checks}, nil
}

func passed(name, format string, args ...any) control.Check {
	return control.Check{Name: name, OK: true, Level: control.LevelError, Message: fmt.Sprintf(format, args...)}
}

func failed(name, message, fix string) control.Check {
	return control.Check{Name: name, Level: control.LevelError, Message: message, Fix: fix}
}

func warned(name, message, fix string) control.Check {
	return control.Check{Name: name, Level: control.LevelWarning, Message: message, Fix: fix}
}

// checkConfig reads the file again: what is running was good, what is there now is what the next start gets.
func (d *daemon) checkConfig() control.Check {
	if _, err := os.Stat(d.configFile); os.IsNotExist(err) {
		return passed("config", "no file at %s; everything has its default", d.configFile)
	}
	if _, err := config.Load(d.configFile); err != nil {
		return failed("config", err.Error(), "mend the line, then cleaved --check-config --config "+d.configFile)
	}
	return passed("config", "%s is good", d.configFile)
}

func checkOpenFiles() control.Check {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return warned("open files", err.Error(), "")
	}
	if limit.Cur < fewFiles {
		return warned("open files", fmt.Sprintf("at most %d may be open", limit.Cur), "start cleaved after ulimit -n 65536, or with LimitNOFILE=65536")
	}
	return passed("open files", "%d of %d", openFiles(), limit.Cur)
}

func (d *daemon) checkDisk() control.Check {
	var fs unix.Statfs_t
	if err := unix.Statfs(d.cfg.StateDir, &fs); err != nil {
		return failed("disk", fmt.Sprintf("%s: %v", d.cfg.StateDir, err), "")
	}
	free := int64(fs.Bavail) * fs.Bsize
	text := fmt.Sprintf("%.1f GiB free at %s", float64(free)/oneGiB, d.cfg.StateDir)
	if free < lowDisk {
		return warned("disk", text, "make room there, or move state_dir")
	}
	return passed("disk", "%s", text)
}

func checkClock(now time.Time) control.Check {
	if now.Year() < oldestDate {
		return warned("clock", "it says "+now.Format(time.DateOnly), "set the clock; generations are numbered, but their times will be wrong")
	}
	return passed("clock", "%s", now.UTC().Format(time.RFC3339))
}

func checkPlugin(p dispatch.Status) control.Check {
	name := "plugin " + p.Name
	if p.Error != "" {
		return failed(name, p.Error, "mend or remove it in plugin_dir; its documents stay as they were")
	}
	return passed(name, "version %s, claims %s", p.Version, strings.Join(p.Claims, " "))
}

// check looks at what the last scan of a source said.
func (s *source) check() control.Check {
	name := "source " + string(s.name)
	s.now.mu.Lock()
	defer s.now.mu.Unlock()
	switch s.now.state {
	case stateUnavailable:
		return failed(name, s.now.reason, fmt.Sprintf("bring %s back; or cleave scan --wait --accept-root %s", s.cfg.Root, s.name))
	case stateDegraded:
		return warned(name, s.now.reason, fmt.Sprintf("let the daemon read it, then cleave scan --wait %s", s.name))
	case "":
		return passed(name, "%s is being scanned for the first time since the start", s.cfg.Root)
	}
	return passed(name, "%s was scanned %s", s.cfg.Root, s.now.lastScan.UTC().Format(time.RFC3339))
}
