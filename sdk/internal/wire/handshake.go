package wire

import (
	goplugin "github.com/hashicorp/go-plugin"
)

const (
	// Protocol is the version of splitter.proto. History: 1, the first.
	Protocol = 1

	// CookieKey and CookieValue mark an environment in which a plugin was started by a host. They are no secret: they
	// only tell a start by a host from a start by hand.
	CookieKey   = "CLEAVE_PLUGIN"
	CookieValue = "splitter"

	// Frame is the most content, or extracted text, in one message: well below gRPC's stock limit of 4 MiB, so that a
	// plugin in another language needs no setting, and large enough that the cost of a message does not show.
	Frame = 1 << 20

	// Batch is the most units in one message. With Frame it bounds what a batch takes in memory on either side.
	Batch = 4096

	// ServerMessage is the largest message a plugin accepts: a frame and its header, with room to grow.
	ServerMessage = 4 << 20

	// MaxContent is the most content a plugin accepts for one file. The host's own limit is far lower; this one keeps
	// a mistaken size from reserving memory.
	MaxContent = 1 << 31
)

// Handshake is the part of go-plugin's configuration that both ends must have in common.
func Handshake() goplugin.HandshakeConfig {
	return goplugin.HandshakeConfig{
		ProtocolVersion:  Protocol,
		MagicCookieKey:   CookieKey,
		MagicCookieValue: CookieValue,
	}
}

// ServiceName is the name under which go-plugin knows the one service there is.
const ServiceName = "splitter"
