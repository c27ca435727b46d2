package dispatch

import (
	"time"

	"github.com/cleave-project/cleave/sdk"
)

// rest is the pause that a plugin earns by failing: it doubles with every failure in a row and ends with the first
// success. The first ones are short, since one bad file must not slow down the good ones that follow it.
type rest struct {
	failures int
	until    time.Time
}

const (
	firstRest   = 10 * time.Millisecond
	longestRest = time.Minute
	// patience is the longest rest that a call waits for. The eighth failure in a row earns a longer one.
	patience = time.Second
)

func (r *rest) failed(now time.Time) {
	r.failures++
	pause := longestRest
	if r.failures < 14 { // 10 ms doubled 13 times is more than a minute
		pause = min(firstRest<<(r.failures-1), longestRest)
	}
	r.until = now.Add(pause)
}

func (r *rest) over() { *r = rest{} }

// resting is how long the plugin still rests.
func (p *pool) resting() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(time.Until(p.rest.until), 0)
}

func (p *pool) restError(left time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	why := "it failed"
	if p.err != "" {
		why = p.err
	}
	return sdk.Errorf(sdk.CodePluginRefused, "plugin %s rests for %s after failing %d times in a row: %s",
		p.nameLocked(), left.Round(time.Second), p.rest.failures, why)
}
