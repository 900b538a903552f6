package sssp

// Tracer is an Engine that keeps what the steps of its last search did.
type Tracer interface {
	// Trace lists the steps of the last search. It is collective.
	Trace() ([]Step, error)
}

// Stepper is an Engine that tells of its steps as they end, for who has a clock to time them.
type Stepper interface {
	// OnStep has ended called on each rank at the end of each step, with its name and its figures of all ranks. The search
	// ends with the error that it returns, if any.
	OnStep(ended func(Step) error)
}

// Step is one step of a search, as one rank saw it.
type Step struct {
	Name            string // one of the names below
	Vertices, Edges int64  // that it looked at, of all ranks; 0 edges where the engine does not tell
	Nanoseconds     int64
	Compute         int64 // nanoseconds of them that this rank spent on its own vertices, where there are several ranks
}

// The names of steps. An engine may have some of them.
const (
	StartStep     = "start"      // the last search is forgotten
	PushStep      = "push"       // from the root as far as the window
	PullStep      = "pull"       // all others look for their paths
	PullAgainStep = "pull again" // those whose path could be shorter look once more
	PushRestStep  = "push rest"  // what that has changed is pushed
	TiesStep      = "ties"       // parents of vertices as far away as their neighbours
	TreesStep     = "trees"      // what hangs off the core
	ResultStep    = "result"     // parents and distances in label order
)
