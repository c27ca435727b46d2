package main

import (
	"context"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"
)

// memory is what processes hold, in bytes: resident pages, and those of them that are no file's.
type memory struct {
	RSS  int64 `json:"rss_bytes"`
	Anon int64 `json:"anon_bytes"`
}

// memories are the two moments that matter. Peak is the most that was seen of each during the scans.
type memories struct {
	Peak        memory `json:"peak"`
	PeakPlugins memory `json:"peak_plugins"` // all plugin processes together
	Idle        memory `json:"idle"`         // after the scans, with store, index and view open and garbage given back
}

// sampleEvery is how often memory is looked at: shorter than a table or a segment is in the making.
const sampleEvery = 10 * time.Millisecond

// watched runs f and says the most memory that was seen meanwhile.
func watched(ctx context.Context, f func() error) (memories, error) {
	var m memories
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(sampleEvery)
		defer tick.Stop()
		for ctx.Err() == nil {
			m.Peak = most(m.Peak, memoryOf("self"))
			m.PeakPlugins = most(m.PeakPlugins, memoryOf(children()...))
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
	})
	err := f()
	cancel()
	wg.Wait()
	return m, err
}

// idle is what this process holds once garbage has been given back.
func idle() memory {
	debug.FreeOSMemory()
	return memoryOf("self")
}

func most(a, b memory) memory { return memory{RSS: max(a.RSS, b.RSS), Anon: max(a.Anon, b.Anon)} }

// memoryOf adds up processes. One that has ended holds nothing.
func memoryOf(pids ...string) memory {
	var m memory
	for _, pid := range pids {
		data, _ := os.ReadFile("/proc/" + pid + "/status")
		for line := range strings.Lines(string(data)) {
			key, value, _ := strings.Cut(line, ":")
			kib, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64) // 0 for other lines
			switch key {
			case "VmRSS":
				m.RSS += kib << 10
			case "RssAnon":
				m.Anon += kib << 10
			}
		}
	}
	return m
}
