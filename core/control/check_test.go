package control_test

import (
	"testing"

	"github.com/cleave-project/cleave/core/control"
	"github.com/google/go-cmp/cmp"
)

func TestQueryDefaults(t *testing.T) {
	r := control.QueryRequest{Words: "w"}
	if err := r.Check(); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(control.QueryRequest{Words: "w", K: 10, Expand: "section", Window: pointer(1), Budget: 2000}, r); d != "" {
		t.Error(d)
	}
}

func TestQueryTakesTimes(t *testing.T) {
	r := control.QueryRequest{Words: "w", AsOf: "2026-11-30T20:00:00+01:00", After: "2024-02-29", Explain: true}
	if err := r.Check(); err != nil {
		t.Error(err)
	}
}

func TestQueryRefusals(t *testing.T) {
	cases := map[string]control.QueryRequest{
		"no words":        {Words: " "},
		"too many hits":   {Words: "w", K: 1001},
		"no budget":       {Words: "w", Budget: -1},
		"wide window":     {Words: "w", Window: pointer(101)},
		"unknown expand":  {Words: "w", Expand: "all"},
		"whose number":    {Words: "w", Generation: 3},
		"numbers of two":  {Words: "w", Generation: 3, Sources: []string{"a", "b"}},
		"not a date":      {Words: "w", Before: "soon"},
		"a day too many":  {Words: "w", AsOf: "2026-02-30"},
		"timeout, unused": {Words: "w", Timeout: 1},
	}
	for name, r := range cases {
		t.Run(name, func(t *testing.T) {
			code := "usage"
			if r.Timeout != 0 {
				code = "not_in_force"
			}
			wantError(t, r.Check(), code, control.ExitUsage)
		})
	}
}
