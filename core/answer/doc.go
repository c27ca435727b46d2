// Package answer turns what the store holds into what crosses the socket: a document record, its place and its chunks
// into control's wire types. split, show, ls --chunks and the hits of query are built here, so that a chunk looks the
// same wherever it is met.
//
// It decides nothing about who may see what: callers ask core/access first (I10). It reads no store; a Document brings
// the text along as a function.
package answer
