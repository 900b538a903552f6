// SPDX-License-Identifier: Apache-2.0

// Package trace has the step of a search as every engine reports it, and the names of steps, variants, payloads and
// transports as runs store them.
package trace

import "g500/internal/lists"

// Step is one step of a search on one rank. Frontier and Edges are sums over all ranks.
type Step struct {
	Name        string // a Step constant
	Variant     string // of BFS on a GPU: a Variant constant; else ""
	Frontier    int64  // BFS: vertices in the frontier, without leaves except the root; shortest paths: vertices processed
	Edges       int64  // BFS, top-down only: edges leaving the frontier; shortest paths: edges inspected; 0 if unknown
	Nanoseconds int64

	// Engines on several ranks divide Nanoseconds into computing, exchanging with other ranks and waiting for them, and
	// list this rank's traffic.
	Compute, Exchange, Wait int64
	Traffic                 []Traffic
}

// Tracer is an engine that keeps a trace of its last search.
type Tracer interface {
	// Trace lists the steps of the last search, in order. It is collective and not part of the timed search.
	Trace() ([]Step, error)
}

// Stepper is an engine that reports the end of each step to a caller with a clock.
type Stepper interface {
	// OnStep sets the function that every rank calls at the end of each step, with the step's name, frontier and edges.
	// If the function returns an error, the search ends with it.
	OnStep(ended func(Step) error)
}

// Traffic is the number of bytes that one rank sent and received in one step as one payload over one transport.
type Traffic struct {
	Payload        string // a Payload constant
	Transport      string // a Transport constant; of GPUs on different nodes the name of their transport
	Sent, Received int64  // bytes
}

// The steps of breadth-first search: levels in two directions, and the part of the output permutation after the levels.
const (
	TopDownStep     = "top-down"
	BottomUpStep    = "bottom-up"
	ResultOrderStep = "result order"
)

// The variants of top-down and bottom-up levels of the GPU engine.
const (
	PushVariant           = "push"            // claims vertices, then queues them or sends them to their owners
	PushReplicatedVariant = "push-replicated" // every rank processes the whole frontier
	PushSegmentsVariant   = "push-segments"   // claims vertices segment by segment
	SplitVariant          = "split"           // as pull, from hubs only; other vertices of the frontier push
	PullVariant           = "pull"            // every unvisited vertex searches for a parent
	PullListingVariant    = "pull-listing"    // as pull; also lists the remaining unvisited vertices
	PullHubsVariant       = "pull-hubs"       // as pull; finds neighbours of hubs without a lookup
	DecideVariant         = "decide"          // neighbours of hubs are found, only others search for a parent
	PullRemainingVariant  = "pull-remaining"  // only listed vertices search for a parent
)

// The steps of shortest paths. An engine may have only some of them.
const (
	StartStep     = "start"      // clears the previous search
	PushStep      = "push"       // settles all vertices nearer than a threshold
	PullStep      = "pull"       // every other vertex searches for its shortest path
	PullAgainStep = "pull again" // vertices whose path could be shorter search once more
	PushRestStep  = "push rest"  // pushes distances that have changed
	TiesStep      = "ties"       // finds parents at the same distance
	TreesStep     = "trees"      // completes the trees outside the non-leaf subgraph
	ResultStep    = "result"     // writes parents and distances by label
)

// The transports of traffic.
const (
	PeerTransport    = "peer"    // from GPU to GPU
	NodeTransport    = "node"    // within a node
	NetworkTransport = "network" // between nodes
)

// The payloads of traffic.
const (
	BitmapPayload  = "bitmap"  // words of the visited bitmap
	BinsPayload    = "bins"    // pairs of vertex and parent, binned by owner
	QueriesPayload = "queries" // queries whether vertices are visited
	RepliesPayload = "replies" // replies for visited vertices
	RowsPayload    = "rows"    // rows of the graph read by another rank
	SumsPayload    = "sums"    // numbers that all ranks add up
)

// KernelTime is the time of all launches of one kernel on a device.
type KernelTime struct {
	Name     string
	Launches int64
	Seconds  float64
}

// Add adds traffic to a sum by payload and transport, and returns the sum.
func Add(sum []Traffic, more ...Traffic) []Traffic {
	for _, m := range more {
		same := func(s Traffic) bool { return s.Payload == m.Payload && s.Transport == m.Transport }
		of := lists.At(&sum, same, Traffic{Payload: m.Payload, Transport: m.Transport})
		of.Sent, of.Received = of.Sent+m.Sent, of.Received+m.Received
	}
	return sum
}

// Meter adds up the traffic between one rank and the others.
type Meter struct {
	Rank  int
	Nodes []int // of each rank
	sum   []Traffic
}

// Count adds bytes exchanged with a rank. Bytes that stay on the rank are not counted.
func (m *Meter) Count(payload string, rank, sent, received int) {
	if rank == m.Rank || sent+received == 0 {
		return
	}
	transport := NodeTransport
	if m.Nodes[rank] != m.Nodes[m.Rank] {
		transport = NetworkTransport
	}
	m.sum = Add(m.sum, Traffic{Payload: payload, Transport: transport, Sent: int64(sent), Received: int64(received)})
}

// Take returns the traffic counted since the last call.
func (m *Meter) Take() []Traffic {
	sum := m.sum
	m.sum = nil
	return sum
}
