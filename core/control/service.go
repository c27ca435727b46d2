package control

import "context"

// Service answers the requests. core/daemon implements it. Methods are called from many goroutines, one for each
// connection; ctx ends when the caller is gone, when the daemon stops, or when an answer of one value has taken too long.
//
// An error that is or wraps an *Error says what the caller is told; any other is a failure with its own words. A
// document that cannot be split is not an error but an answer with a Refusal.
type Service interface {
	Status(ctx context.Context, c Caller, r StatusRequest) (StatusAnswer, error)
	// Scan calls progress from its own goroutine, as often as it likes: a call never blocks on the caller. A scan
	// that could not be complete is an answer that says so, not an error.
	Scan(ctx context.Context, c Caller, r ScanRequest, progress func(Progress)) (ScanAnswer, error)
	Query(ctx context.Context, c Caller, r QueryRequest) (QueryAnswer, error)
	Split(ctx context.Context, c Caller, r SplitRequest) (SplitAnswer, error)
	// List calls emit for each item in order and stops at its error, which means that the caller is gone.
	List(ctx context.Context, c Caller, r ListRequest, emit func(ListItem) error) (ListAnswer, error)
	Show(ctx context.Context, c Caller, r ShowRequest) (ShowAnswer, error)
	Generations(ctx context.Context, c Caller, r GenerationsRequest) (GenerationsAnswer, error)
	Doctor(ctx context.Context, c Caller, r DoctorRequest) (DoctorAnswer, error)
	Version(ctx context.Context, c Caller, r VersionRequest) (VersionAnswer, error)
	// Ready tells whether heads are served; nil: they are.
	Ready() error
}
