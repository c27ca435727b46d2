package store

import (
	"log/slog"
	"path/filepath"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

// Options are how a store is opened. The zero value is for production.
type Options struct {
	// Logger takes what Badger says: warnings and errors, and the rest at debug level. Nil: nothing is logged.
	Logger *slog.Logger
	// Reserve is how many bytes the file system must keep free for the store to write. 0: DefaultReserve; negative:
	// not checked.
	Reserve int64
	// CloseTimeout bounds Close, since Badger has been seen to hang there on damage. 0: 30 s.
	CloseTimeout time.Duration
}

// DefaultReserve is room for what Badger may still write once the store has stopped: three memtable logs of 32 MiB
// each, the tables they become, and one compaction.
const DefaultReserve = 256 << 20

const (
	// memTableSize bounds what a crash replays and what bulk writes keep in memory: Badger's default of 5 x 64 MiB
	// reaches 579 MB of anonymous memory after 200 MB of writes.
	memTableSize = 4 << 20
	// baseTableSize is the size of tables on the first level below; it doubles with each. Badger keeps eight builders'
	// memory of at least twice a table's size for reuse.
	baseTableSize = 1 << 20
	// memTables beside the active one. One full one is being written as a table while the other waits.
	memTables = 2
	// blockSize of a table: Badger's builder copies a block to twice the room whenever a value does not fit, so that
	// with its default of 4 KiB and values of 20 KiB it was measured to hold three times what it writes.
	blockSize = 32 << 10
	// indexCache holds the tables' indexes and bloom filters, about 1 % of the data; without a bound Badger keeps all.
	indexCache = 16 << 20
	// valueThreshold is Badger's greatest: every value is smaller (partSize), so the value log stays empty.
	valueThreshold = 512 << 10
	// valueLogFile is the apparent size of that empty log, halved.
	valueLogFile = 1 << 20
	// closeTimeout: a healthy store closes in well under a second; a disk may be slow.
	closeTimeout = 30 * time.Second
)

func badgerOptions(dir string, log *slog.Logger) badger.Options {
	return badger.DefaultOptions(filepath.Join(dir, badgerDir)).
		WithSyncWrites(false). // a sync for each transaction was measured to take most of the time; see sync.go
		WithMemTableSize(memTableSize).
		WithNumMemtables(memTables).
		WithBaseTableSize(baseTableSize).
		WithNumLevelZeroTables(4).
		WithNumLevelZeroTablesStall(8).
		WithNumCompactors(2). // the least Badger takes
		WithBlockSize(blockSize).
		WithBlockCacheSize(0). // blocks are not compressed, so they are read where they are mapped
		WithIndexCacheSize(indexCache).
		WithValueThreshold(valueThreshold).
		WithValueLogFileSize(valueLogFile).
		WithCompression(options.None).
		WithChecksumVerificationMode(options.OnBlockRead). // a flipped bit is an error, not a missing key
		WithMetricsEnabled(false).
		WithLogger(badgerLog{log})
}
