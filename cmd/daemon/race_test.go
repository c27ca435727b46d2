//go:build race

package main_test

// raceFlags build the daemon with the race detector too, where the tests are: its packages are compiled already.
var raceFlags = []string{"-race"}
