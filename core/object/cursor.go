package object

import "context"

// cursor stands on a page of one level of the tree an editor edits.
type cursor struct {
	*editor
	level int
	above []step // from the root down to the page's parent
	page  Page
	id    ID
}

// step is an inner page and the child the cursor went down to.
type step struct {
	page  Page
	child int
}

// seek goes to the page whose stretch of paths holds key: the first whose last path is not below it, else the last.
func (c *cursor) seek(ctx context.Context, key Path) error {
	p, err := c.load(ctx, c.root, c.height)
	if err != nil {
		return err
	}
	c.id = c.root
	for p.Level > c.level {
		i := min(p.find(key), len(p.Children)-1)
		if p, err = c.down(ctx, p, i); err != nil {
			return err
		}
	}
	c.page = p
	return nil
}

// next goes to the next page of the level. There must be one.
func (c *cursor) next(ctx context.Context) error {
	n := len(c.above) - 1
	for c.above[n].child == len(c.above[n].page.Children)-1 {
		n--
	}
	top := c.above[n]
	c.above = c.above[:n]
	p, err := c.down(ctx, top.page, top.child+1)
	for err == nil && p.Level > c.level {
		p, err = c.down(ctx, p, 0)
	}
	c.page = p
	return err
}

func (c *cursor) down(ctx context.Context, p Page, i int) (Page, error) {
	c.above = append(c.above, step{p, i})
	c.id = p.Children[i].Page
	return c.load(ctx, c.id, p.Level-1)
}

// isLast tells whether the page is the last of its level.
func (c *cursor) isLast() bool {
	for _, s := range c.above {
		if s.child < len(s.page.Children)-1 {
			return false
		}
	}
	return true
}

// ref is the row that names the page in its parent.
func (c *cursor) ref() row {
	return row{key: c.page.last(), child: Child{Page: c.id}, level: c.page.Level}
}
