package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	api "github.com/blevesearch/bleve_index_api"
)

// ErrBehind says that the index does not hold the rows of the view asked for: follow, or use Ensure.
var ErrBehind = errors.New("the index does not hold this generation")

// ErrMark says that Follow was given another starting point than the generation the index holds.
var ErrMark = errors.New("the index holds another generation than the one to follow from")

// Options has a useful zero value.
type Options struct {
	// Workers analyse rows; 0: one for each core.
	Workers int
	// BatchBytes is how much text goes into a batch; 0: 4 MiB. Three batches are in memory at a time, as terms and
	// segments: measured on 10 MB of Markdown, 100, 150 and 210 MB at 1, 2 and 4 MiB, and 6.2, 6.8 and 7.7 MB indexed
	// for each second of a processor.
	BatchBytes int64
}

// Index is the rows of one source in one directory. It is safe for concurrent use: any number of searches beside one
// Follow, Ensure or Sweep, which wait for each other.
type Index struct {
	dir       string
	options   Options
	dropped   error
	engine    *scorch.Scorch
	queue     *api.AnalysisQueue
	analyzers sync.Pool

	writing turn // held by Follow, Ensure and Sweep; taken before mu

	mu    sync.Mutex
	holds map[*Hold]struct{}  // views whose rows must stay
	spare map[string]struct{} // rows in the index that the marked generation may not use; Sweep looks at them
}

// Open opens the index in dir, which it creates where it is missing. What is damaged, or was made by another version of
// the analyzer, is dropped and begun anew with an empty mark (I11): Dropped says why. What has another cause, such as a
// lock that is held or a limit on open files, is an error and drops nothing.
func Open(dir string, o Options) (*Index, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.BatchBytes <= 0 {
		o.BatchBytes = 4 << 20
	}
	x := &Index{dir: dir, options: o, writing: make(turn, 1), holds: make(map[*Hold]struct{}), spare: make(map[string]struct{})}
	x.analyzers.New = func() any { return newAnalyzer() }
	err := x.open()
	if err == nil {
		return x, nil
	}
	if !isStale(err) {
		return nil, fmt.Errorf("open index %s: %w", dir, err)
	}
	x.dropped = err
	if err := os.RemoveAll(dir); err != nil {
		return nil, fmt.Errorf("drop index %s: %w", dir, err)
	}
	if err := x.open(); err != nil {
		return nil, fmt.Errorf("open index %s: %w", dir, err)
	}
	return x, nil
}

// Dropped is why Open threw away what it found, or nil.
func (x *Index) Dropped() error { return x.dropped }

// open opens the engine on what is in the directory and checks all of it.
func (x *Index) open() (err error) {
	if err := verifyRoot(filepath.Join(x.dir, rootFile)); err != nil {
		return err
	}
	if err := verifySegments(x.dir); err != nil {
		return err
	}
	if err := x.start(); err != nil {
		return err
	}
	mark, err := x.Mark()
	if err == nil && mark.Number != 0 && mark.analyzer != AnalyzerVersion {
		err = &VersionError{Found: mark.analyzer}
	}
	if err != nil {
		return errors.Join(err, x.Close())
	}
	return nil
}

// start starts the engine, or leaves nothing running.
func (x *Index) start() (err error) {
	queue := api.NewAnalysisQueue(x.options.Workers)
	defer func() {
		if err != nil {
			queue.Close()
		}
	}()
	defer recoverDamage(&err)
	engine, err := scorch.NewScorch(scorch.Name, engineConfig(x.dir), queue)
	if err != nil {
		return err
	}
	if err := engine.Open(); err != nil {
		return err
	}
	x.engine, x.queue = engine.(*scorch.Scorch), queue
	return nil
}

// lockWait is how long Open waits for another process to give up the directory: longer than one needs to end that was
// told to.
const lockWait = 2 * time.Second

// engineConfig sizes the engine on purpose.
func engineConfig(dir string) map[string]any {
	return map[string]any{
		"path": dir,
		// Nobody else may have the directory open; a lock held by another process is an error, not a wait.
		"bolt_timeout": lockWait.String(),
		// A batch returns when it can be searched, not when it is on disk: writer waits for the disk itself, for at most
		// two batches, so that one is analysed while the other is written.
		"unsafe_batch": true,
		// The mark says what the index holds; older snapshots would only hold files on disk.
		"numSnapshotsToKeep": 1,
		"scorchMergePlanOptions": map[string]any{
			"MaxSegmentsPerTier":   10,
			"MaxSegmentSize":       5_000_000, // rows
			"MaxSegmentFileSize":   int64(4) << 30,
			"TierGrowth":           10.0,
			"SegmentsPerMergeTask": 10,
			"FloorSegmentSize":     2000, // rows: about one full batch, so that batches count as equals
			"ReclaimDeletesWeight": 2.0,
		},
	}
}

// Close stops the engine. No other method may be running.
func (x *Index) Close() error {
	if x.engine == nil {
		return nil
	}
	err := x.engine.Close()
	x.queue.Close()
	x.engine = nil
	if err != nil {
		return fmt.Errorf("close index %s: %w", x.dir, err)
	}
	return nil
}

// Rows counts the rows in the index, those that no view uses included.
func (x *Index) Rows() (int, error) {
	reader, err := x.engine.Reader()
	if err != nil {
		return 0, fmt.Errorf("index %s: %w", x.dir, err)
	}
	defer reader.Close()
	n, err := reader.DocCount()
	return int(n), err
}
