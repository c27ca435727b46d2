package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// cost is what a piece of work took.
type cost struct {
	Self    float64 `json:"cpu_self_s"`    // CPU seconds of this process
	Plugins float64 `json:"cpu_plugins_s"` // CPU seconds of its children
	Wall    float64 `json:"wall_s"`
}

func (c cost) cpu() float64 { return c.Self + c.Plugins }

func (c cost) plus(o cost) cost {
	return cost{c.Self + o.Self, c.Plugins + o.Plugins, c.Wall + o.Wall}
}

func (c cost) minus(o cost) cost {
	return cost{c.Self - o.Self, c.Plugins - o.Plugins, c.Wall - o.Wall}
}

// spent runs f and says what it took.
func spent(f func() error) (cost, error) {
	before, err := reading()
	if err != nil {
		return cost{}, err
	}
	if err := f(); err != nil {
		return cost{}, err
	}
	after, err := reading()
	return after.minus(before), err
}

// epoch is where wall seconds are counted from.
var epoch = time.Now()

// reading is what this process and its children have used so far.
func reading() (cost, error) {
	var self, dead syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &self); err != nil {
		return cost{}, err
	}
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &dead); err != nil {
		return cost{}, err
	}
	live, err := liveChildren()
	return cost{Self: cpuOf(self), Plugins: cpuOf(dead) + live, Wall: time.Since(epoch).Seconds()}, err
}

func cpuOf(u syscall.Rusage) float64 {
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// ticks is USER_HZ, the unit of CPU time in /proc: 100 a second on every architecture that Go runs on.
const ticks = 100

// liveChildren is the CPU time of the children that have not ended. getrusage counts those only once they are waited for.
func liveChildren() (float64, error) {
	sum := 0
	for _, pid := range children() {
		data, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil {
			continue // it ended since, and counts as dead at the next reading
		}
		// The name, in parentheses, may hold anything; utime and stime are fields 14 and 15 (proc_pid_stat(5)).
		_, rest, _ := strings.Cut(string(data), ") ")
		fields := strings.Fields(rest)
		if len(fields) < 13 {
			return 0, fmt.Errorf("/proc/%s/stat has %d fields", pid, len(fields))
		}
		for _, f := range fields[11:13] {
			n, err := strconv.Atoi(f)
			if err != nil {
				return 0, fmt.Errorf("/proc/%s/stat: %w", pid, err)
			}
			sum += n
		}
	}
	return float64(sum) / ticks, nil
}

// children are the process IDs of what this process has started, by whichever of its threads.
func children() []string {
	var pids []string
	threads, _ := os.ReadDir("/proc/self/task") // always there
	for _, t := range threads {
		data, _ := os.ReadFile("/proc/self/task/" + t.Name() + "/children") // gone with its thread
		pids = append(pids, strings.Fields(string(data))...)
	}
	return pids
}
