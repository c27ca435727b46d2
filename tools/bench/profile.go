package main

import (
	"errors"
	"os"
	"runtime"
	"runtime/pprof"
)

// startProfiles begins the profiles that were asked for; what it returns ends and writes them.
func startProfiles(o options) (end func() error, err error) {
	var cpu *os.File
	if o.cpuProfile != "" {
		if cpu, err = os.Create(o.cpuProfile); err != nil {
			return nil, err
		}
		if err := pprof.StartCPUProfile(cpu); err != nil {
			return nil, errors.Join(err, cpu.Close())
		}
	}
	return func() error {
		var err error
		if cpu != nil {
			pprof.StopCPUProfile()
			err = cpu.Close()
		}
		if o.memProfile != "" {
			err = errors.Join(err, writeAllocs(o.memProfile))
		}
		return err
	}, nil
}

func writeAllocs(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	runtime.GC() // the profile is of what had been allocated by the last collection
	return errors.Join(pprof.Lookup("allocs").WriteTo(f, 0), f.Close())
}
