package main

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/cleave-project/cleave/core/chunk"
	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/outline"
	"github.com/cleave-project/cleave/core/scan"
	"github.com/cleave-project/cleave/core/text"
	"github.com/cleave-project/cleave/sdk"
)

// split is splitting alone: no store, no index. The stages run one after the other over many files at a time, so that
// the CPU time of each can be told.
type split struct {
	All    cost `json:"all"`
	Read   cost `json:"read"`   // open, read, hash, find out the encoding
	Plugin cost `json:"plugin"` // self: encoding, sending, decoding; plugins: parsing and their half of the wire
	Check  cost `json:"check"`
	Pack   cost `json:"pack"`
	Failed int  `json:"failed"` // documents that were refused
}

// batchBytes is how much of the corpus is in memory at a time, with its outlines.
const batchBytes = 32 << 20

// job is one file on its way through the stages.
type job struct {
	file
	raw  []byte
	base int
	said sdk.Outline
	o    *outline.Outline
	err  error // of the file: it goes no further
}

func (b *bench) split(ctx context.Context, files []file) (split, error) {
	var s split
	root, err := scan.OpenRoot(scan.Options{Root: b.o.corpus})
	if err != nil {
		return s, err
	}
	defer root.Close()
	for len(files) > 0 {
		var jobs []*job
		for size := int64(0); len(files) > 0 && size < batchBytes; files = files[1:] {
			jobs = append(jobs, &job{file: files[0]})
			size += files[0].size
		}
		if err := b.splitBatch(ctx, &s, root, jobs); err != nil {
			return s, err
		}
	}
	for _, c := range []cost{s.Read, s.Plugin, s.Check, s.Pack} {
		s.All = s.All.plus(c)
	}
	return s, nil
}

func (b *bench) splitBatch(ctx context.Context, s *split, root *scan.Root, jobs []*job) error {
	stages := []struct {
		into *cost
		do   func(*job) error
	}{
		{&s.Read, func(j *job) error { return j.read(root) }},
		{&s.Plugin, func(j *job) error { return b.ask(ctx, j) }},
		{&s.Check, check},
		{&s.Pack, func(j *job) error { return b.pack(ctx, j) }},
	}
	for _, stage := range stages {
		c, err := spent(func() error { return b.each(jobs, stage.do) })
		if err != nil {
			return err
		}
		*stage.into = stage.into.plus(c)
	}
	for _, j := range jobs {
		if j.err != nil {
			s.Failed++
		}
	}
	return ctx.Err()
}

// each does one stage with all jobs that are still in it, on all workers.
func (b *bench) each(jobs []*job, do func(*job) error) error {
	var g errgroup.Group
	g.SetLimit(b.workers)
	for _, j := range jobs {
		g.Go(func() error {
			if j.err == nil {
				j.err = do(j)
			}
			return nil
		})
	}
	return g.Wait()
}

// read is a stage. The hash is thrown away here, but every scan pays for it.
func (j *job) read(root *scan.Root) error {
	raw, _, err := root.Read(j.path, maxFile)
	if err != nil {
		return err
	}
	_ = object.Sum(raw)
	dec, err := text.Decode(raw)
	j.raw, j.base = raw, dec.Base
	return err
}

func (b *bench) ask(ctx context.Context, j *job) (err error) {
	content := j.raw
	if j.route.Plugin.Input == sdk.InputText {
		content = content[j.base:]
	}
	j.said, err = b.plugins.Split(ctx, j.route, sdk.File{Content: content, MediaType: j.route.MediaType, Language: j.route.Lang})
	return err
}

func check(j *job) (err error) {
	j.o, err = outline.Check(outline.Input{Raw: j.raw, Base: j.base, Takes: j.route.Plugin.Input,
		MediaType: j.route.MediaType, Lang: j.route.Lang, Encoding: text.UTF8}, j.said)
	j.said = sdk.Outline{}
	return err
}

func (b *bench) pack(ctx context.Context, j *job) error {
	packed, err := chunk.Pack(ctx, j.o, b.o.policy, b.tok)
	if err != nil {
		return err
	}
	if len(packed.Chunks) == 0 && len(j.o.Units) > 0 {
		return fmt.Errorf("%s: units, but no chunks", j.path)
	}
	return nil
}
