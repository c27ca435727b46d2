package dispatch

import "time"

// rest is the pause that a plugin earns by failing. There are two causes, since they say different things. A start that
// fails says something about the plugin alone. A process that ends on a file says something about that file first, so
// that the pauses after it stay short: the good files that stand behind bad ones are still to be split (C8). Only when
// nothing else has come of the plugin for longer than bad files explain does it rest in earnest (W30).
type rest struct {
	starts int // that failed, in a row
	deaths int // of processes on a file, without an answer in between
	until  time.Time
}

const (
	firstPause   = 10 * time.Millisecond
	longestPause = time.Minute
	// longestGap is the longest pause between two deaths that may be the files' fault: a process start costs some tens
	// of milliseconds of processor time, so that a row of bad files takes a quarter of a core at most.
	longestGap = 160 * time.Millisecond
	// mostDeaths in a row are taken for the files' fault. The number is chosen, not measured: a folder of bad files is
	// often larger than ten, and the ingest mixes the files of a run, so that a row of so many means that hardly any
	// file is split.
	mostDeaths = 64
	// longestRest is between two attempts with a plugin that dies on every file. Each costs a start.
	longestRest = time.Hour
	// patience is the longest pause that a call waits for. The eighth start that fails in a row earns a longer one.
	patience = time.Second
)

// startFailed: no process came of it.
func (r *rest) startFailed(now time.Time) {
	r.starts++
	r.until = now.Add(doubled(firstPause, r.starts, longestPause))
}

// died: a process ended on a file, by itself or because it had to be killed.
func (r *rest) died(now time.Time) {
	r.deaths++
	pause := doubled(firstPause, r.deaths, longestGap)
	if r.deaths >= mostDeaths {
		pause = doubled(longestPause, r.deaths-mostDeaths+1, longestRest)
	}
	r.until = now.Add(pause)
}

// started: the program can be started again.
func (r *rest) started() { r.starts = 0 }

// answered: the plugin is not to blame for the deaths. It tells nothing about starts: the process that answered may be
// an old one.
func (r *rest) answered() {
	r.deaths = 0
	if r.starts == 0 {
		r.until = time.Time{}
	}
}

// doubled is the nth pause of a row that begins with first and doubles up to last.
func doubled(first time.Duration, n int, last time.Duration) time.Duration {
	pause := first
	for range n - 1 {
		if pause >= last {
			break
		}
		pause *= 2
	}
	return min(pause, last)
}

// resting is how long the plugin still rests.
func (p *pool) resting() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(time.Until(p.rest.until), 0)
}
