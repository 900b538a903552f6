package bfs

// Tracer is an Engine that can tell what its last search did.
type Tracer interface {
	// Trace lists the steps of the last search, in order. It is called outside the timed search.
	Trace() ([]Level, error)
}

// Level is one step of a search.
type Level struct {
	Step        string // one of the names below
	Frontier    int64  // vertices in the frontier
	Edges       int64  // edges that leave it; of a top-down step only
	Nanoseconds int64
	Bytes       int64 // that it moves in memory by the engine's model; 0 for an engine without one
}

// The names of steps: a level in one of two directions, or the pass that brings the tree into label order.
const (
	TopDownStep    = "top-down"
	BottomUpStep   = "bottom-up"
	LabelOrderStep = "label order"
)
