package scan

import (
	"time"

	"golang.org/x/sys/unix"
)

// Stat is what is remembered of a file to see whether it changed.
type Stat struct {
	Size, ModTime, ChangeTime int64
	Inode                     uint64
}

// Stat is what to remember of f. The device is not part of it: its number may be another after a restart.
func (f File) Stat() Stat {
	return Stat{Size: f.Size, ModTime: f.ModTime, ChangeTime: f.ChangeTime, Inode: f.Inode}
}

// tick is the coarsest clock a file system is known to stamp files with (FAT: two seconds). Within a tick a second
// change leaves no trace in the times.
const tick = int64(2 * time.Second)

// Same tells that f has the bytes it had when prev was taken, at the time recorded (nanoseconds since 1970, read
// before the file was). It is git's racy rule: equal is not enough, since a file that was written again in the same
// tick of the clock looks equal (W16); its times must be older than the record by more than a tick. Otherwise the
// file has to be hashed again, which is never wrong. Only equality is asked, never "newer": old dates on new files,
// dates in the future and clocks that jump are all just different (W17).
func (f File) Same(prev Stat, recorded int64) bool {
	settled := recorded - tick
	return f.Stat() == prev && prev.ModTime < settled && prev.ChangeTime < settled
}

// newFile takes over what the kernel said.
func newFile(path string, st *unix.Stat_t) File {
	return File{
		Path:       path,
		Size:       st.Size,
		ModTime:    st.Mtim.Nano(),
		ChangeTime: st.Ctim.Nano(),
		Inode:      st.Ino,
		Dev:        uint64(st.Dev),
		Mode:       uint32(st.Mode) &^ unix.S_IFMT,
		UID:        st.Uid,
		GID:        st.Gid,
		Nlink:      uint64(st.Nlink),
	}
}

// kind is what a directory entry is, in the terms of getdents.
type kind byte

// kindOf is the kind in a mode: the kernel's DT constants are the mode's type bits, shifted.
func kindOf(mode uint32) kind { return kind(mode & unix.S_IFMT >> 12) }

const (
	kindUnknown kind = unix.DT_UNKNOWN
	kindDir     kind = unix.DT_DIR
	kindFile    kind = unix.DT_REG
)

// reason is why something of this kind is left out whatever its name; "" for files and directories.
func (k kind) reason() Reason {
	switch k {
	case kindFile, kindDir:
		return ""
	case unix.DT_LNK:
		return Symlink
	case unix.DT_FIFO:
		return FIFO
	case unix.DT_SOCK:
		return Socket
	case unix.DT_CHR, unix.DT_BLK:
		return Device
	}
	return Unknown
}
