package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/cleave-project/cleave/core/index"
	"github.com/cleave-project/cleave/core/store"
)

// volume is a source's index, open. Volumes are numbered directories beneath the source's own: a damaged one is not
// mended, the next is made beside it, and what is served of the old one stays until its last lease ends (I9, I11).
type volume struct {
	index  *index.Index
	dir    string
	number int

	// Guarded by the source's serving.
	refs    int   // the source has one on its current volume, each served generation has one
	spoiled error // damage that was found: the volume is to be replaced
	retired bool  // another has taken its place: the files go with the last lease
}

// volumes lists the numbers of the volumes in a source's directory. What else lies there is returned too.
func volumes(dir string) (numbers []int, strange []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	for _, e := range entries {
		n, err := strconv.Atoi(e.Name())
		if err != nil || n <= 0 || strconv.Itoa(n) != e.Name() || !e.IsDir() {
			strange = append(strange, e.Name())
			continue
		}
		numbers = append(numbers, n)
	}
	return numbers, strange, err
}

// openNewest opens the newest volume, or the first where there is none. Older ones were being replaced when a process
// ended: they go, as does everything else there, since nothing of an index is worth keeping (I11).
func (s *source) openNewest() (*volume, error) {
	numbers, strange, err := volumes(s.indexDir)
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	newest := 1
	for _, n := range numbers {
		newest = max(newest, n)
	}
	for _, n := range numbers {
		if n != newest {
			strange = append(strange, strconv.Itoa(n))
		}
	}
	for _, name := range strange {
		if err := os.RemoveAll(filepath.Join(s.indexDir, name)); err != nil {
			return nil, fmt.Errorf("index: remove what is left over: %w", err)
		}
	}
	return s.openVolume(newest)
}

// openVolume opens one volume, with one reference that is the caller's.
func (s *source) openVolume(number int) (*volume, error) {
	dir := filepath.Join(s.indexDir, strconv.Itoa(number))
	x, err := index.Open(dir, index.Options{})
	if err != nil {
		return nil, err
	}
	if why := x.Dropped(); why != nil {
		s.journal.Warn("index dropped; it is made anew", "source", string(s.name), "error", why)
	}
	return &volume{index: x, dir: dir, number: number, refs: 1}, nil
}

// current is the volume in use. It is opened where that has not been possible yet. Only the loop calls it, and
// openSource before there is one.
func (s *source) current() (*volume, error) {
	s.serving.Lock()
	v := s.volume
	s.serving.Unlock()
	if v != nil {
		return v, nil
	}
	v, err := s.openNewest()
	if err != nil {
		return nil, err
	}
	s.serving.Lock()
	s.volume = v
	s.serving.Unlock()
	return v, nil
}

// volumeAt is a volume whose mark is pin's generation: the current one, or a new one where that is damaged. A new one has
// one reference, which the caller hands on.
func (s *source) volumeAt(ctx context.Context, pin *store.Pin) (*volume, error) {
	v, err := s.current()
	if err != nil {
		return nil, err
	}
	why := s.spoiled(v)
	if why == nil {
		why = s.followFromMark(ctx, v.index, pin)
	}
	var damage *index.DamageError
	if !errors.As(why, &damage) {
		return v, why
	}
	s.spoil(v, damage)
	return s.rebuild(ctx, v.number+1, pin)
}

// rebuild makes a new volume. The old one goes on answering meanwhile, as far as it can.
func (s *source) rebuild(ctx context.Context, number int, pin *store.Pin) (*volume, error) {
	v, err := s.openVolume(number)
	if err != nil {
		return nil, err
	}
	if err := v.index.Follow(ctx, nil, pin); err != nil {
		v.retired = true // nobody else has it
		return nil, errors.Join(err, v.end())
	}
	return v, nil
}

// end closes a volume that nobody has a lease on.
func (v *volume) end() error {
	err := v.index.Close()
	if v.retired {
		err = errors.Join(err, os.RemoveAll(v.dir))
	}
	return err
}

// unrefLocked gives one reference back. It tells whether that was the last: then the caller ends the volume, without the
// lock.
func (v *volume) unrefLocked() (last bool) {
	v.refs--
	return v.refs == 0
}

func (s *source) spoiled(v *volume) error {
	s.serving.Lock()
	defer s.serving.Unlock()
	return v.spoiled
}

// spoil notes damage, and tells whether the caller is the first to find it.
func (s *source) spoil(v *volume, why *index.DamageError) (first bool) {
	s.serving.Lock()
	first = v.spoiled == nil && !v.retired
	if first {
		v.spoiled = why
	}
	s.serving.Unlock()
	if first {
		s.journal.Warn("index damaged; it is made anew", "source", string(s.name), "error", why)
	}
	return first
}

// followFromMark starts from the generation that the index says it holds, where the store still has it.
func (s *source) followFromMark(ctx context.Context, x *index.Index, to *store.Pin) error {
	mark, err := x.Mark()
	if err != nil {
		return err
	}
	if mark.Number == 0 {
		return x.Follow(ctx, nil, to)
	}
	from, err := s.deps.Store.Pin(ctx, s.name, mark.Number)
	if errors.Is(err, store.ErrNoGeneration) {
		return x.Follow(ctx, nil, to)
	}
	if err != nil {
		return err
	}
	defer from.Release()
	if from.Generation().Root != mark.Root {
		return x.Follow(ctx, nil, to) // a generation of that number, but not the one that was indexed
	}
	return x.Follow(ctx, from, to)
}

// indexed is the generation whose rows the index has, 0 where there is no index yet.
func (s *source) indexed() (uint64, error) {
	s.serving.Lock()
	v := s.volume
	if v == nil {
		s.serving.Unlock()
		return 0, nil
	}
	v.refs++
	s.serving.Unlock()
	mark, err := v.index.Mark()
	s.serving.Lock()
	last := v.unrefLocked()
	s.serving.Unlock()
	if last {
		err = errors.Join(err, v.end())
	}
	return mark.Number, err
}
