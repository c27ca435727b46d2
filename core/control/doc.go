// Package control is the socket between cleaved and its callers: the wire types, the server, the client, and who is
// calling.
//
// The protocol is HTTP/1.1 and JSON over a unix socket, so curl --unix-socket works. Requests are URL parameters, which
// carry a path's bytes whether they are UTF-8 or not; what is split travels as the body, byte for byte. Answers are one
// JSON value, or, where they may be long (/v1/scan with wait, /v1/ls), JSON lines.
//
// Who is calling comes from the kernel, as it was at connect, and never from the request (E1); that is why a connection
// serves one request. A slow, silent or huge client costs only its own connection: headers, bodies and writes have
// deadlines and limits, and one user's connections are counted, with a share that stays free for root.
//
// Names and fields are added here, never changed. A list is never null. The package imports nothing of ours, so that
// the command line starts without the daemon's weight.
package control
