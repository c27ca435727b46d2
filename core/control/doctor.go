package control

// DoctorAnswer is what would keep cleave from working here.
type DoctorAnswer struct {
	Checks List[Check] `json:"checks"`
}

// OK tells whether every check passed; warnings do not count against it.
func (a DoctorAnswer) OK() bool {
	for _, c := range a.Checks {
		if !c.OK && c.Level == LevelError {
			return false
		}
	}
	return true
}

// The levels of a check: what it means when it is not OK.
const (
	LevelError   = "error"
	LevelWarning = "warning"
)

// Check is one thing that was looked at. Fix is the command or edit that mends it, where it is not OK.
type Check struct {
	Name    string `json:"name"`
	OK      bool   `json:"ok"`
	Level   string `json:"level"`
	Message string `json:"message"`
	Fix     string `json:"fix"`
}

// VersionAnswer is what a binary was built from.
type VersionAnswer struct {
	Version string `json:"version"`
	Go      string `json:"go"`
}
