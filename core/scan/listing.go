package scan

// Listing is what a walk found. It is a value: nothing in it changes afterwards.
type Listing struct {
	Root    RootID
	Files   []File    // in the byte order of their paths
	LeftOut []LeftOut // in the order of the walk
	Carried []Carried // in the order of the walk; not empty: the listing is not complete (exit 3)
	Dirs    int       // directories read, the root among them
}

// File is a regular file as the kernel described it.
type File struct {
	Path       string // slash path relative to the root; bytes, not necessarily UTF-8
	Size       int64  // bytes
	ModTime    int64  // nanoseconds since 1970; set by users at will
	ChangeTime int64  // nanoseconds since 1970; set by the kernel's clock only
	Inode      uint64
	Dev        uint64 // may be another after a restart of the machine
	Mode       uint32 // permission bits, with set-uid, set-gid and sticky
	UID, GID   uint32
	Nlink      uint64
}

// LeftOut is something that is in the tree and not in Files.
type LeftOut struct {
	Path   string // a directory's ends in a slash and stands for everything beneath
	Reason Reason
}

// Carried is a directory that could not be read. Its documents stay as they were, marked stale.
type Carried struct {
	Dir string // ends in a slash: the beginning of its documents' paths
	Err error  // names the directory
}

// Reason says why something was left out. The list is closed; what reading finds out (binary) is added by core/ingest.
type Reason string

const (
	Hidden      Reason = "hidden"       // a name that begins with a dot
	Ignored     Reason = "ignored"      // by .cleaveignore or .gitignore, or a .git
	Excluded    Reason = "excluded"     // by the source's exclude
	NotIncluded Reason = "not_included" // the source's include names others
	TooLarge    Reason = "too_large"    // above files.max_size
	Symlink     Reason = "symlink"      // wherever it leads
	FIFO        Reason = "fifo"
	Socket      Reason = "socket"
	Device      Reason = "device"
	Loop        Reason = "loop"    // a directory that is mounted inside itself
	Unknown     Reason = "unknown" // a kind of file this list does not have
)

// Options says what to walk. Root is required.
type Options struct {
	Root       string   // absolute path; the last element may be a link
	Include    []string // globs of files (core/glob); none: every file
	Exclude    []string // globs of files and directories
	Hidden     bool     // take names that begin with a dot
	MaxSize    int64    // bytes; 0: no limit
	RootID     *RootID  // what the root was at the last scan; nil: this is the first
	AcceptRoot bool     // take the root for what it is now, whatever RootID says
}
