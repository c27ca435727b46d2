// Package sdktest checks that a splitter keeps the contract of package sdk. It reports every broken rule with file and
// offset, not only the first: an author wants the list.
//
// Run takes any plugin binary, in any language, and a directory of files; Corpus takes a Splitter and a file system;
// Check takes a Splitter and one file. All three report Problems whose Rule is one of the constants of this package.
//
// It is stricter than a host needs to be. What it cannot see is whether an outline is a good one.
package sdktest
