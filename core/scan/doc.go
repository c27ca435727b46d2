// Package scan walks a source's root and says what is there: a Listing, or an error. It also reads the files it listed.
//
// # What it promises (I2, C1)
//
//   - A walk that failed is an error, never a shorter listing. Any error of the system fails it, with two exceptions
//     that are answers themselves: an entry that is gone between being listed and looked at is absent, and a directory
//     the daemon may not read is Carried, with everything beneath it.
//   - A root that is gone, replaced by another directory, unreadable or failing is a *RootError. What a root is, is
//     told by file system, inode and time of birth, not by its path: an unmounted disk leaves an empty directory of
//     the same name, and ext4 gives the inode of a removed directory to the next one that is made.
//   - Everything found is either a File, LeftOut with a reason, or beneath a directory that is LeftOut or Carried.
//   - Equal trees give equal listings, in the byte order of paths.
//
// # What it never does (W20, W21)
//
// It follows no link, opens nothing but directories and regular files, and waits for no writer. Every open is of one
// name, relative to an open directory that was reached in the same way from the root, and never through a link; so
// nothing outside the root can be read, whatever is renamed meanwhile. os.Root does less here: it follows links that
// stay inside, by which a file would be read under a path whose permissions are not its own.
//
// # Rules
//
// Names are bytes and need not be UTF-8. Rules are asked in this order: hidden, ignored, excluded, the kind of file,
// not included, too large. A directory that is left out is recorded once, with a slash at its end, and not looked
// into. An exclude glob leaves a directory out if it matches the directory, or everything beneath it by ending in
// "/**". .cleaveignore and .gitignore hold for the directory they stand in and below, by git's rules (core/ignore);
// nearer files win, and .cleaveignore wins over .gitignore beside it. A .git is never looked into.
package scan
