// Package store keeps the generations of every source in Badger and moves a source's head from one to the next.
//
// # What is where
//
//	DIR/lock            held by the one process that has the store open; holds its process ID
//	DIR/identity.json   the store's name and the highest acknowledged number of each source
//	DIR/badger/         Badger's own files
//	DIR/aside/          tables that Badger was about to remove, kept while it is not known that they are garbage
//
// Keys in Badger; numbers are big-endian, and a source name holds no slash, so none is a prefix of another by chance:
//
//	o/<hash>               object: its canonical encoding
//	g/<source>/<number>    generation record, sealed
//	h/<source>             head: number and hash of the generation record, sealed
//	d/<document hash>      checksum of the plugin that made the document first, sealed
//	u/<outline key>        outline: its hash, then its bytes
//	s/<source>/<path>      Stat, sealed
//	q/<source>/<path>      Failure, sealed
//	m/schema, m/store      version of this layout, name of the store
//
// Objects and outlines are compressed (zstd, after the letter Z) where that is shorter, and lie in parts beside their
// key when they are still above partSize, so that no value ever goes to Badger's value log, which has been seen to
// answer with empty values and no error. Sealed means preceded by a short hash of key and value.
//
// # What it promises
//
// Publish returns after the objects, then the head, then the number beside Badger are on disk, in that order (I1); a
// reader in this process sees the new head only then. A failed write or sync fences the store: it still reads, and
// publishes nothing more until it is opened again. Every read is verified against a hash (I3). A store that opens
// empty, as another store, or older than what was acknowledged says so and is not served as if it were complete.
//
// # What it never does
//
// It knows no file, plugin or query, and logs nothing but what Badger says.
package store
