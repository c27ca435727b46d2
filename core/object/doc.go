// Package object holds the values a generation is made of and their canonical encoding: IDs, document records, chunks,
// tree entries and generation records. It imports nothing of ours.
//
// Every object is addressed by the SHA-256 of its canonical encoding (I3). Values are plain data; nothing here reads
// or writes a store.
package object
