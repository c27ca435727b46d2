package daemon

import (
	"context"
	"errors"
	"fmt"

	"github.com/cleave-project/cleave/core/control"
	"github.com/cleave-project/cleave/core/index"
	"github.com/cleave-project/cleave/core/query"
)

// ask runs a query over what is leased. Where an index turns out to be damaged the others answer, and degraded says what
// they lack: the index is made anew meanwhile (I11).
func (d *daemon) ask(ctx context.Context, r query.Request, leases []*served) (a query.Answer, degraded []string, err error) {
	for {
		a, err = query.Run(ctx, r, d.asked(leases))
		var damage *index.DamageError
		if !errors.As(err, &damage) {
			return a, degraded, err
		}
		var sound []*served
		for _, v := range leases {
			if v.s.spoiled(v.volume) == nil {
				sound = append(sound, v)
				continue
			}
			degraded = append(degraded, fmt.Sprintf("source %s: its index is damaged and made anew: not searched", v.s.name))
		}
		switch len(sound) {
		case len(leases):
			return a, degraded, err
		case 0:
			return a, degraded, control.Busy("%v: it is made anew, ask again soon (cleave status)", err)
		}
		leases = sound
	}
}

// asked is what a query may read of each source.
func (d *daemon) asked(leases []*served) []query.Source {
	sources := make([]query.Source, len(leases))
	for i, v := range leases {
		sources[i] = query.Source{
			Name: v.s.name, Pin: v.pin, Index: v, Tokenizer: d.toks.of,
			Admit: admitAll, // only administrators get this far in this version
		}
	}
	return sources
}
