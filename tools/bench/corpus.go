package main

import (
	"context"
	"fmt"

	"github.com/cleave-project/cleave/core/dispatch"
	"github.com/cleave-project/cleave/core/scan"
	"github.com/cleave-project/cleave/core/text"
)

// corpus is what is measured on.
type corpus struct {
	Root    string `json:"root"`
	Files   int    `json:"files"`    // that a plugin claims and that are text
	Bytes   int64  `json:"bytes"`    // of them
	Others  int    `json:"others"`   // listed, but no plugin's or not text
	LeftOut int    `json:"left_out"` // by the rules of the walk
}

// file is a document of the corpus that will be split.
type file struct {
	path  string
	size  int64
	route dispatch.Route
}

// load lists the files and reads each once, so that no measurement waits for the disk.
func (b *bench) load(ctx context.Context, c *corpus) ([]file, error) {
	root, listing, err := b.walk(ctx)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	c.Root, c.LeftOut = b.o.corpus, len(listing.LeftOut)
	var files []file
	for _, f := range listing.Files {
		route := b.plugins.Route(f.Path, nil)
		raw, _, err := root.Read(f.Path, maxFile)
		if err != nil {
			return nil, err
		}
		if _, err := text.Decode(raw); err != nil || route.Err != nil {
			c.Others++
			continue
		}
		files = append(files, file{f.Path, f.Size, route})
		c.Files++
		c.Bytes += f.Size
	}
	if c.Files == 0 {
		return nil, fmt.Errorf("no document that a plugin claims is in %s", b.o.corpus)
	}
	return files, nil
}

func (b *bench) walk(ctx context.Context) (*scan.Root, *scan.Listing, error) {
	o := scan.Options{Root: b.o.corpus, MaxSize: maxFile}
	root, err := scan.OpenRoot(o)
	if err != nil {
		return nil, nil, err
	}
	listing, err := root.Walk(ctx, o)
	if err != nil {
		root.Close()
		return nil, nil, err
	}
	return root, listing, nil
}
