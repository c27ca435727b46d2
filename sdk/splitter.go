package sdk

import "context"

// Splitter is what a plugin implements. Both methods may be called from several goroutines.
type Splitter interface {
	// Info says what the splitter is and which files it claims. It always returns the same value.
	Info() Info
	// Split describes one file. It returns an *Error with a code where the file is refused, ctx.Err() where ctx
	// ended first. It must not keep f.Content after it returns.
	Split(ctx context.Context, f File) (Outline, error)
}

// Info describes a splitter.
type Info struct {
	// Name matches [a-z0-9][a-z0-9._-]{0,63}.
	Name string
	// Version is part of the splitting contract: it changes whenever an outline may change.
	Version string
	// Globs claim files by base name: "*.md", "Dockerfile". The longer glob wins over the shorter one.
	Globs []string
	// MediaTypes and Languages say what the splitter understands, for people.
	MediaTypes []string
	Languages  []string
	// Input says whether the splitter takes decoded text or the file's bytes.
	Input Input
}

// Input is what a splitter is given.
type Input string

// The inputs. InputText is the decoded text: valid UTF-8, no byte order mark; the core keeps the map back to the file.
// InputBytes is the file as it is.
const (
	InputText  Input = "text"
	InputBytes Input = "bytes"
)

// File is what a splitter is given: content, and what is known about it. No path, no descriptor.
type File struct {
	Content   []byte
	MediaType string
	Language  string
}
