package control

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Readable gives a path as JSON holds it. A path that is not UTF-8 is given with its odd bytes as \xNN, and, as that
// does not lead back, in base64 too; raw is empty otherwise.
func Readable(path string) (text, raw string) {
	if utf8.ValidString(path) {
		return path, ""
	}
	var b strings.Builder
	for i := 0; i < len(path); {
		r, n := utf8.DecodeRuneInString(path[i:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, path[i])
		} else {
			b.WriteString(path[i : i+n])
		}
		i += n
	}
	return b.String(), base64.StdEncoding.EncodeToString([]byte(path))
}

// DefaultSocket is where a daemon that runs as a service answers.
const DefaultSocket = "/run/cleave/cleave.sock"

// SocketPath is the socket to use: flag, else $CLEAVE_SOCKET, else DefaultSocket where it is there, else
// $XDG_RUNTIME_DIR/cleave/cleave.sock where that is there, else DefaultSocket.
func SocketPath(flag string, env func(string) string) string {
	if flag != "" {
		return flag
	}
	if s := env("CLEAVE_SOCKET"); s != "" {
		return s
	}
	if _, err := os.Lstat(DefaultSocket); err == nil {
		return DefaultSocket
	}
	if dir := env("XDG_RUNTIME_DIR"); dir != "" {
		own := filepath.Join(dir, "cleave", "cleave.sock")
		if _, err := os.Lstat(own); err == nil {
			return own
		}
	}
	return DefaultSocket
}
