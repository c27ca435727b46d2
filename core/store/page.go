package store

import (
	"context"
	"sync"

	"github.com/cleave-project/cleave/core/object"
)

// cachedPages bounds each half of the page cache; 2 x 256 decoded pages of some 10 KiB are 5 MiB.
const cachedPages = 256

// pageCache keeps decoded tree pages that were read lately. A page that has not been asked for while cachedPages
// others came goes. Pages are immutable, so the cache is never wrong.
type pageCache struct {
	mu       sync.Mutex // guards both maps
	hot, old map[object.ID]object.Page
}

func (c *pageCache) find(id object.ID) (object.Page, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.hot[id]
	if ok {
		return p, true
	}
	if p, ok = c.old[id]; ok {
		c.addLocked(id, p)
	}
	return p, ok
}

func (c *pageCache) add(id object.ID, p object.Page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.addLocked(id, p)
}

func (c *pageCache) addLocked(id object.ID, p object.Page) {
	if c.hot == nil || len(c.hot) >= cachedPages {
		c.hot, c.old = make(map[object.ID]object.Page, cachedPages), c.hot
	}
	c.hot[id] = p
}

// tree reads trees out of the store.
func (s *Store) tree() object.Tree {
	return object.Tree{Load: func(ctx context.Context, id object.ID) (object.Page, error) {
		if p, ok := s.pages.find(id); ok {
			return p, nil
		}
		p, err := s.page(id)
		if err == nil {
			s.pages.add(id, p)
		}
		return p, err
	}}
}

func (s *Store) page(id object.ID) (object.Page, error) {
	data, err := s.get(id)
	if err != nil {
		return object.Page{}, err
	}
	p, err := object.DecodePage(data)
	if err != nil {
		return object.Page{}, &DamageError{ID: id, Why: err.Error()}
	}
	return p, nil
}
