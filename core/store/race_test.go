//go:build race

package store_test

// raced tells whether the race detector is built in, under which nothing is measured.
const raced = true
