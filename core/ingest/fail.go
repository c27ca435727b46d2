package ingest

import (
	"time"

	"github.com/cleave-project/cleave/core/object"
	"github.com/cleave-project/cleave/core/store"
)

// The back-off of a file that fails for the same reasons: doubled from the first to the last step. A poison file must
// not cost a plugin start in every scan, and must not wait for a day when the cause has gone. The numbers are chosen,
// not measured.
const (
	firstRetry = time.Minute
	lastRetry  = 6 * time.Hour
)

// quarantined is the next record of a file that failed with cause: another try of the same content with the same
// plugin and contract counts on, anything else starts again (C8).
func quarantined(prev store.Failure, had bool, next store.Failure, now time.Time) store.Failure {
	same := had && prev.Revision == next.Revision && prev.PluginSHA == next.PluginSHA && prev.Contract == next.Contract
	next.First, next.Tries = now.UnixNano(), 1
	if same {
		next.First, next.Tries = prev.First, prev.Tries+1
	}
	next.Last = now.UnixNano()
	next.Next = now.Add(backOff(next.Tries)).UnixNano()
	return next
}

// waiting is the record of a file whose plugin could not be asked (dispatch.ErrDown). That is no try and earns no
// back-off: the file is due at every scan until the plugin is back. As long as nothing but the time is new, the record
// stays as it is, so that a scan of many such files writes none of them.
func waiting(prev store.Failure, had bool, next store.Failure, now time.Time) store.Failure {
	next.First, next.Last, next.Next = now.UnixNano(), now.UnixNano(), now.UnixNano()
	if !had || prev.Revision != next.Revision || prev.PluginSHA != next.PluginSHA || prev.Contract != next.Contract {
		return next
	}
	if prev.Tries > 0 || prev.Code == next.Code && prev.Message == next.Message && prev.Plugin == next.Plugin {
		return prev // what a try has told says more than that there is none now
	}
	next.First = prev.First
	return next
}

// stillWaits tells whether a file is quarantined with just these bytes, plugin and contract, and its time has not come.
func stillWaits(f store.Failure, t task, revision object.ID, now time.Time) bool {
	return f.Revision == revision && f.PluginSHA == t.route.Plugin.SHA256 && f.Contract == t.contract && now.UnixNano() < f.Next
}

// backOff is the wait after the given number of tries.
func backOff(tries int) time.Duration {
	wait := firstRetry
	for i := 1; i < tries && wait < lastRetry; i++ {
		wait *= 2
	}
	return min(wait, lastRetry)
}

// failedEntry is what a generation holds for a file that failed: its last good version, marked stale, or a mark. Who may
// read it is what the file says now, whatever became of its text (I10).
func failedEntry(old object.Entry, had bool, fresh object.Entry) object.Entry {
	if had && !old.Doc.IsZero() {
		old.State, old.Access = object.StateStale, fresh.Access
		return old
	}
	fresh.Doc, fresh.Chunks, fresh.State = object.ID{}, 0, object.StateFailed
	return fresh
}
