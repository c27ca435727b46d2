package main

import (
	"os"
	"runtime"
	"strings"
)

// machine is what figures are worth nothing without.
type machine struct {
	CPU   string `json:"cpu"`
	Cores int    `json:"cores"` // that Go uses
	Go    string `json:"go"`
	OS    string `json:"os"`
}

func thisMachine() machine {
	return machine{CPU: cpuModel(), Cores: runtime.GOMAXPROCS(0), Go: runtime.Version(), OS: runtime.GOOS + "/" + runtime.GOARCH}
}

// cpuModel is the model of the first processor, as Linux says it.
func cpuModel() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(data)) {
		key, value, _ := strings.Cut(line, ":")
		if strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}
