package object

// State is how an entry's document stands.
type State uint8

// StateCurrent: the record is of the file's present bytes. StateStale: the file could not be read or split; the record
// is the last good one (C8). StateFailed: there never was a good one, and Doc is zero.
const (
	StateCurrent State = iota
	StateStale
	StateFailed
)

// Entry is what the tree holds for one path: the document record, and what may change without splitting.
type Entry struct {
	Doc           ID     `cbor:"1,keyasint"`
	State         State  `cbor:"2,keyasint,omitempty"`
	Bytes         int64  `cbor:"3,keyasint"`
	Chunks        int    `cbor:"4,keyasint"`
	Modified      int64  `cbor:"5,keyasint"` // mtime, nanoseconds since 1970
	Access        Access `cbor:"6,keyasint"`
	EffectiveFrom string `cbor:"7,keyasint,omitempty"`
	EffectiveTo   string `cbor:"8,keyasint,omitempty"`
}

// Access is the file system's policy for one file (E3).
type Access struct {
	Mode uint32 `cbor:"1,keyasint"` // permission bits
	UID  uint32 `cbor:"2,keyasint"`
	GID  uint32 `cbor:"3,keyasint"`
}

// Item is a path with its entry.
type Item struct {
	Path  Path
	Entry Entry
}

// Change is one difference between two trees: Old nil: added; New nil: removed; neither nil: changed.
type Change struct {
	Path     Path
	Old, New *Entry
}

// Counts sums up a generation.
type Counts struct {
	Documents int   `cbor:"1,keyasint"` // entries that hold a document, stale ones included
	Chunks    int   `cbor:"2,keyasint"`
	Bytes     int64 `cbor:"3,keyasint"`
	Stale     int   `cbor:"4,keyasint"`
	Failed    int   `cbor:"5,keyasint"`
}

// Delta says how a generation differs from the one before.
type Delta struct {
	Added    int `cbor:"1,keyasint"`
	Changed  int `cbor:"2,keyasint"`
	Moved    int `cbor:"3,keyasint"`
	Removed  int `cbor:"4,keyasint"`
	Metadata int `cbor:"5,keyasint"`
}

// Generation is the record of one complete state of a source. The record's hash is what the head names.
type Generation struct {
	Source   Source `cbor:"1,keyasint"`
	Number   uint64 `cbor:"2,keyasint"` // 1 for the first; a counter, never a clock
	Parent   ID     `cbor:"3,keyasint"` // record of the generation before; zero for the first
	Root     ID     `cbor:"4,keyasint"` // root page; zero for an empty tree
	Counts   Counts `cbor:"5,keyasint"`
	Delta    Delta  `cbor:"6,keyasint"`
	Time     int64  `cbor:"7,keyasint"` // nanoseconds since 1970, for people
	Reason   string `cbor:"8,keyasint"` // what asked for the scan
	Complete bool   `cbor:"9,keyasint"` // no directory was carried
}
