package daemon

import (
	"context"
	"errors"
	"slices"

	"github.com/cleave-project/cleave/core/store"
)

// maxOlder bounds how many older generations of one source are in memory (I13). A view shares what it has in common with
// the newest; four let a few callers compare a few generations without making them again for each question.
const maxOlder = 4

// older holds what was last asked of the generations before the newest. All of it is guarded by the source's serving.
type older struct {
	slots []*slot       // least recently used first
	freed chan struct{} // closed when a slot may have become free; nil: nobody waits
}

// slot is one older generation: ready, or being made by the first who asked for it.
type slot struct {
	number uint64
	served *served       // nil: being made
	done   chan struct{} // closed when it is made, or err says why it is not
	err    error
}

// acquireOlder takes a lease on an older generation.
func (s *source) acquireOlder(ctx context.Context, number uint64) (*served, error) {
	pin, err := s.deps.Store.Pin(ctx, s.name, number)
	if err != nil {
		return nil, err
	}
	v, err := s.takeOlder(ctx, pin)
	if err != nil || v.pin != pin {
		pin.Release()
	}
	return v, err
}

// takeOlder finds pin's generation in a slot or makes it ready; then it takes pin over. Those who ask for the same wait
// for the first of them; where all slots are in use, they wait for one, as long as ctx lasts.
func (s *source) takeOlder(ctx context.Context, pin *store.Pin) (*served, error) {
	number := pin.Generation().Number
	for {
		s.serving.Lock()
		o := s.older.findLocked(number)
		if o != nil && o.served != nil {
			o.served.refs++
			s.serving.Unlock()
			return o.served, nil
		}
		if o == nil {
			if room, ended := s.older.roomLocked(); room {
				o = s.older.addLocked(number)
				s.serving.Unlock()
				s.logEnd(ended)
				return s.fillSlot(ctx, o, pin)
			}
		}
		wait := s.older.waitLocked(o)
		s.serving.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if o != nil && o.err != nil && !errors.Is(o.err, context.Canceled) && !errors.Is(o.err, context.DeadlineExceeded) {
			return nil, o.err // it would be the same for us; where the first only went away, it is our turn
		}
	}
}

// fillSlot makes a generation ready and gives the caller a lease on it.
func (s *source) fillSlot(ctx context.Context, o *slot, pin *store.Pin) (*served, error) {
	v, err := s.ready(ctx, pin)
	s.serving.Lock()
	defer s.serving.Unlock()
	switch kept := s.older.findLocked(o.number) == o; {
	case err != nil:
		s.older.removeLocked(o)
	case kept && v.volume == s.volume:
		o.served = v
		v.refs++ // the slot's own
	default:
		s.older.removeLocked(o) // its volume was replaced meanwhile: good for this answer, not for the next
	}
	o.err = err
	close(o.done)
	s.older.changedLocked()
	return v, err
}

// ready makes an older generation answer queries. It takes pin over where it succeeds.
func (s *source) ready(ctx context.Context, pin *store.Pin) (*served, error) {
	view, err := s.viewOf(ctx, pin)
	if err != nil {
		return nil, err
	}
	s.serving.Lock()
	v := &served{s: s, pin: pin, view: view, volume: s.volume, refs: 1}
	if v.volume == nil {
		s.serving.Unlock()
		return nil, errNothingServed
	}
	v.volume.refs++
	s.serving.Unlock()
	if v.hold, err = v.volume.index.Ensure(ctx, pin, view); err == nil {
		return v, nil
	}
	v.note(err)
	s.serving.Lock()
	last := v.volume.unrefLocked()
	s.serving.Unlock()
	if last {
		s.logEnd(v.volume)
	}
	return nil, err
}

func (c *older) findLocked(number uint64) *slot {
	i := slices.IndexFunc(c.slots, func(o *slot) bool { return o.number == number })
	if i < 0 {
		return nil
	}
	o := c.slots[i]
	c.slots = append(slices.Delete(c.slots, i, i+1), o) // used last
	return o
}

func (c *older) addLocked(number uint64) *slot {
	o := &slot{number: number, done: make(chan struct{})}
	c.slots = append(c.slots, o)
	return o
}

func (c *older) removeLocked(o *slot) {
	c.slots = slices.DeleteFunc(c.slots, func(other *slot) bool { return other == o })
}

// roomLocked makes room for one more, where it takes no lease from anybody. The volume that it returns is to be ended.
func (c *older) roomLocked() (room bool, ended *volume) {
	if len(c.slots) < maxOlder {
		return true, nil
	}
	for _, o := range c.slots {
		if o.served != nil && o.served.refs == 1 {
			c.removeLocked(o)
			return true, o.served.releaseLocked()
		}
	}
	return false, nil
}

// waitLocked returns what is closed when it is worth another look: when o is made, or for nil when a slot becomes free.
func (c *older) waitLocked(o *slot) <-chan struct{} {
	if o != nil {
		return o.done
	}
	if c.freed == nil {
		c.freed = make(chan struct{})
	}
	return c.freed
}

// changedLocked wakes those who wait for a slot.
func (c *older) changedLocked() {
	if c.freed != nil {
		close(c.freed)
		c.freed = nil
	}
}

// dropLocked gives up all that is ready; whoever has a lease keeps it. The volumes that it returns are to be ended.
func (c *older) dropLocked() (ended []*volume) {
	var making []*slot
	for _, o := range c.slots {
		if o.served == nil {
			making = append(making, o)
		} else if v := o.served.releaseLocked(); v != nil {
			ended = append(ended, v)
		}
	}
	c.slots = making
	c.changedLocked()
	return ended
}
