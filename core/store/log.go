package store

import (
	"fmt"
	"log/slog"
	"strings"
)

// badgerLog hands Badger's lines on. What Badger calls info is of no interest to an operator.
type badgerLog struct{ *slog.Logger }

func (l badgerLog) Errorf(f string, a ...any)   { l.Logger.Error(line(f, a)) }
func (l badgerLog) Warningf(f string, a ...any) { l.Logger.Warn(line(f, a)) }
func (l badgerLog) Infof(f string, a ...any)    { l.Logger.Debug(line(f, a)) }
func (l badgerLog) Debugf(f string, a ...any)   { l.Logger.Debug(line(f, a)) }

func line(f string, a []any) string {
	return "badger: " + strings.TrimSpace(fmt.Sprintf(f, a...))
}
