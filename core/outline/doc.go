// Package outline is the door between what a splitter says and what cleave believes. Check takes an untrusted
// sdk.Outline and the bytes it is about, and gives a trusted Outline or an *Error that names the broken rule, the unit
// and the offset (I12). Behind the door nobody checks again.
//
// Check shifts every position to the stored file's bytes (a byte order mark is a skip of its own, never text a
// splitter sees), computes what pre-order implies (parent and subtree end of each unit), and bounds what one document
// may say. Encode and Decode give a trusted outline deterministic bytes, so that a new policy packs without parsing
// again.
//
// The package reads no file, counts no tokens and knows no policy.
package outline
