package control

// StatusAnswer is the state of the daemon and of each source.
type StatusAnswer struct {
	Version    string             `json:"version"`
	PID        int                `json:"pid"`
	UptimeS    int64              `json:"uptime_s"`
	RSSBytes   int64              `json:"rss_bytes"`
	Goroutines int                `json:"goroutines"`
	OpenFiles  int                `json:"open_files"`
	StateBytes int64              `json:"state_bytes"`
	Caller     CallerStatus       `json:"caller"`
	Plugins    List[PluginStatus] `json:"plugins"`
	Sources    List[SourceStatus] `json:"sources"`
}

// CallerStatus is who the daemon takes the caller for.
type CallerStatus struct {
	UID    uint32       `json:"uid"`
	GID    uint32       `json:"gid"`
	Groups List[uint32] `json:"groups"`
	Admin  bool         `json:"admin"`
}

// PluginStatus is how one plugin stands.
type PluginStatus struct {
	Plugin
	Claims    List[string] `json:"claims"`
	Processes int          `json:"processes"`
	Calls     int64        `json:"calls"`
	Crashes   int64        `json:"crashes"`
	Error     string       `json:"error,omitempty"` // why it does not run
}

// SourceStatus is how one source stands. State is one of current, scanning, degraded, unavailable, held.
type SourceStatus struct {
	Name            string        `json:"name"`
	Root            string        `json:"root"`
	State           string        `json:"state"`
	Reason          string        `json:"reason"`
	Generation      uint64        `json:"generation"` // the head; 0: none yet
	RootHash        string        `json:"root_hash"`
	Documents       int           `json:"documents"`
	Chunks          int           `json:"chunks"`
	Bytes           int64         `json:"bytes"`
	Stale           int           `json:"stale"`
	Failed          int           `json:"failed"`
	Pending         int           `json:"pending"`
	Scanning        *Scanning     `json:"scanning"`
	LastScan        Optional      `json:"last_scan"` // times are RFC 3339
	LastComplete    Optional      `json:"last_complete"`
	NextScan        Optional      `json:"next_scan"`
	Watches         Watches       `json:"watches"`   // none in this version
	Overflows       int64         `json:"overflows"` // of watches
	LagMS           int64         `json:"lag_ms"`    // since the last complete scan began: older changes are in the head
	IndexGeneration uint64        `json:"index_generation"`
	Held            bool          `json:"held"`
	Failures        List[Failure] `json:"failures"` // the first of them
}

// Scanning is how far a running scan is.
type Scanning struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

// Watches counts directories that are watched and that should be.
type Watches struct {
	Have int `json:"have"`
	Want int `json:"want"`
}

// Failure is a document that is quarantined.
type Failure struct {
	Path    string   `json:"path"`
	PathB64 string   `json:"path_b64,omitempty"`
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Plugin  Plugin   `json:"plugin"`
	Tries   int      `json:"tries"`
	Next    Optional `json:"next"` // RFC 3339
}
