package lab

import (
	"errors"
	"fmt"
)

// Machine searches a graph by strategies: a GPU, or the CPUs. It has one graph and one strategy at a time.
type Machine interface {
	// Name is the machine's, for people.
	Name() string
	// Load takes a graph, which stays as it is until the next one is loaded.
	Load(g *Graph) error
	// Prepare makes ready for searches by a strategy. An error that is ErrLeftOut says why it cannot be here.
	Prepare(s Strategy) error
	// Search searches from a vertex, and times it.
	Search(source uint32) (Measures, error)
	// Result is what the last search has found.
	Result() (Result, error)
	// Levels tells what each level of the last search did; nil where that is not known.
	Levels() []Level
	// Shares tells what each share of the graph did in the last search; nil where the graph is in one piece.
	Shares() []Share
	// Close gives the machine back.
	Close() error
}

// ErrLeftOut is wrapped by reasons for which a machine does not search by a strategy.
var ErrLeftOut = errors.New("left out")

// ErrElsewhere is the ErrLeftOut of a machine that does not search by strategies of a kind at all. Every machine here
// has CPUs, so a strategy that has no other reason is for GPUs.
var ErrElsewhere = fmt.Errorf("%w: it needs a GPU, and this is no GPU program, or there is no GPU", ErrLeftOut)

// None stands for no vertex and for no distance.
const None = ^uint32(0)

// Result is a word for each vertex: its distance from the source, or its parent; None where it was not reached. The
// other one is nil.
type Result struct {
	Distances, Parents []uint32
}

// Measures are what one search did. Counts that a machine does not know are 0.
type Measures struct {
	Full     bool    // duplicates filled a queue, so that there is no result
	Seconds  float64 // from the source to the result in the machine's memory
	Levels   int
	Launches int64 // of kernels
	Vertices int64 // expanded top-down, duplicates counted
	Edges    int64 // inspected
	Repeated int64 // vertices expanded more than once: duplicates that survived
	Hits     int64 // neighbours inspected whose status was not read: the hub cache had them
	Queues   int64 // bytes of queues and lookups, beside the graph and the result
}

// Share is what one GPU did with its share of a graph.
type Share struct {
	GPU      int   `json:"gpu"`      // its number; shares may have the same one
	Vertices int64 `json:"vertices"` // expanded, duplicates counted
	Edges    int64 `json:"edges"`    // inspected
	Filtered int64 `json:"filtered"` // of them: duplicates, by what the GPU itself has seen
	Pulled   int64 `json:"pulled"`   // bytes, from other shares
}

// Level is what one level of a search did.
type Level struct {
	BottomUp bool    `json:"bottom_up"`
	Vertices int64   `json:"vertices"` // expanded, duplicates counted; bottom-up: those that looked for a parent
	Edges    int64   `json:"edges"`    // inspected
	Launches int64   `json:"launches"` // 0 where the loop over levels is on the device
	Seconds  float64 `json:"seconds"`

	FrontierVertices int64 `json:"frontier_vertices"` // of the level's logical frontier, without duplicates
	FrontierEdges    int64 `json:"frontier_edges"`    // that leave them
}
