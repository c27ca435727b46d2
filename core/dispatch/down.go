package dispatch

import (
	"errors"
	"fmt"

	"github.com/cleave-project/cleave/sdk"
	"github.com/cleave-project/cleave/sdk/host"
)

// ErrDown, for errors.Is: the plugin could not be asked about the file. It was not started, or rests. The file is not to
// blame, and may be asked about again at any time.
var ErrDown = errors.New("the plugin is down")

// downError is ErrDown with what a document says meanwhile.
type downError struct{ document *sdk.Error }

func (e *downError) Error() string { return e.document.Error() }

func (e *downError) Unwrap() []error { return []error{ErrDown, e.document} }

// down makes an ErrDown. The message is to hold no time and no count: it is recorded for each file that waits, and shall
// be the same as long as the cause is.
func down(format string, args ...any) error {
	return &downError{sdk.Errorf(sdk.CodePluginRefused, format, args...)}
}

// restError says why the plugin rests.
func (p *pool) restError() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != "" {
		return down("%s", p.err)
	}
	return down("plugin %s rests after dying on file after file; it was not asked about this one", p.nameLocked())
}

// startTroubleLocked says why a process was not started. The program of a plugin that has run may only have been replaced.
func (p *pool) startTroubleLocked(err error) string {
	if p.sha256 != "" && errors.Is(err, host.ErrChecksum) {
		return fmt.Sprintf("plugin %s: the program changed while cleaved ran; restart cleaved to use the new one", p.nameLocked())
	}
	return err.Error()
}
