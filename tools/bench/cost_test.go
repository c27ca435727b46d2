package main

import (
	"os/exec"
	"testing"
	"time"
)

// The CPU time of a child counts while it runs, and once only after it has ended.
func TestSpentCountsChildren(t *testing.T) {
	var cmd *exec.Cmd
	alive, err := spent(func() error {
		cmd = exec.Command("sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo done; read line")
		stdin, err := cmd.StdinPipe()
		if err != nil {
			return err
		}
		t.Cleanup(func() { stdin.Close() })
		out, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		_, err = out.Read(make([]byte, 8))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if alive.Plugins <= 0 {
		t.Errorf("a running child that counted to 200000 cost %g CPU seconds", alive.Plugins)
	}
	ended, err := spent(func() error {
		cmd.Process.Kill()
		cmd.Wait() // it was killed: the error says so
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if most := 0.05 + alive.Plugins/2; ended.Plugins > most {
		t.Errorf("the end of the child cost %g CPU seconds more, want at most %g: it is counted twice", ended.Plugins, most)
	}
}

func TestQuantiles(t *testing.T) {
	if got, want := quantilesOf(seconds(3, 1, 2, 4)), (quantiles{P50: 2000, P99: 4000, Max: 4000}); got != want {
		t.Errorf("quantiles %v, want %v", got, want)
	}
}

func seconds(list ...int) (out []time.Duration) {
	for _, n := range list {
		out = append(out, time.Duration(n)*time.Second)
	}
	return out
}
