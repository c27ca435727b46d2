// Package daemon composes the rooms into cleaved: it opens what a configuration names, runs one loop for each source,
// keeps what is served, and answers the socket. Read Run and you have read the path of a request and of a change
// outside ingest.
//
// It decides when a source is scanned (start, timer, request) and what is served (the newest generation whose index and
// view are ready); it never decides what a generation holds. It is the only package that may import all others.
package daemon
