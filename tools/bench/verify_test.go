package main

import (
	"testing"

	"github.com/cleave-project/cleave/core/object"
)

func TestUncovered(t *testing.T) {
	text := []byte("ab é\u2003cd")
	chunk := func(start, end int64) object.Chunk { return object.Chunk{Span: object.Span{Start: start, End: end}} }
	skip := func(start, end int64) object.Skip { return object.Skip{Span: object.Span{Start: start, End: end}} }
	for name, c := range map[string]struct {
		chunks []object.Chunk
		skips  []object.Skip
		want   int64
	}{
		"all":            {[]object.Chunk{chunk(0, 10)}, nil, 0},
		"spaces between": {[]object.Chunk{chunk(0, 2), chunk(3, 5), chunk(8, 10)}, nil, 0},
		"nothing":        {nil, nil, 6},
		"one character":  {[]object.Chunk{chunk(0, 3), chunk(5, 10)}, nil, 2},
		"skipped":        {[]object.Chunk{chunk(3, 10)}, []object.Skip{skip(0, 2)}, 0},
	} {
		doc := object.Document{Coords: object.CoordsSource, Skips: c.skips}
		if got := uncovered(doc, c.chunks, text); got != c.want {
			t.Errorf("%s: %d bytes uncovered, want %d", name, got, c.want)
		}
	}
}
