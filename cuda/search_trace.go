//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import "g500/internal/trace"

// Step is what a step of a search does.
type Step int

// The steps: a level, by what it does, or the relabelling, from the end of the last level on.
const (
	Push           Step = C.G500_PUSH            // top-down: claims vertices, queues them or sends them to their ranks
	PushReplicated Step = C.G500_PUSH_REPLICATED // top-down: every rank goes through the whole frontier
	PushBitmap     Step = C.G500_PUSH_BITMAP     // top-down: sets bits in a bitmap, whose owners look for parents
	PushSegments   Step = C.G500_PUSH_SEGMENTS   // top-down: claims vertices segment by segment
	Pull           Step = C.G500_PULL            // bottom-up: every unvisited vertex looks for a parent
	PullListing    Step = C.G500_PULL_LISTING    // the same, and it lists the residual vertices
	PullHubs       Step = C.G500_PULL_HUBS       // the same, and finds the neighbours of hubs without a look
	PullResidual   Step = C.G500_PULL_RESIDUAL   // bottom-up: only residual vertices look for a parent
	Relabel        Step = C.G500_RELABEL         // the tree to label order
)

// stepNames has the name and the variant of each step.
var stepNames = map[Step]struct{ name, variant string }{
	Push:           {trace.TopDownStep, trace.PushVariant},
	PushReplicated: {trace.TopDownStep, trace.PushReplicatedVariant},
	PushBitmap:     {trace.TopDownStep, trace.PushBitmapVariant},
	PushSegments:   {trace.TopDownStep, trace.PushSegmentsVariant},
	Pull:           {trace.BottomUpStep, trace.PullVariant},
	PullListing:    {trace.BottomUpStep, trace.PullListingVariant},
	PullHubs:       {trace.BottomUpStep, trace.PullHubsVariant},
	PullResidual:   {trace.BottomUpStep, trace.PullResidualVariant},
	Relabel:        {trace.LabelOrderStep, ""},
}

// Name returns the name of the step in a trace.
func (s Step) Name() string { return stepNames[s].name }

// Variant returns the variant of the step in a trace, "" for Relabel.
func (s Step) Variant() string { return stepNames[s].variant }

// Traffic is what a rank sent and received in one way.
type Traffic struct{ Sent, Received int64 }

// Level is one step of a search, as this rank saw it.
type Level struct {
	Step           Step
	Frontier       int64 // vertices, of all ranks
	Edges          int64 // that leave the frontier, of all ranks; top-down only
	Nanoseconds    int64
	Exchange, Wait int64   // of them: sending and taking in words; waiting for other ranks
	Words          Traffic // of bitmaps, to and from peers: 32-bit words
	Pairs          Traffic // to and from peers, of 8 bytes
	EdgesRead      Traffic // of this rank's rows by peers, and of theirs by this rank
	SharedBitmap   Traffic // to and from remote ranks that share memory: bytes
	SharedPairs    Traffic
	Barriers       int64 // of all ranks, from the beginning of the search to the end of the step; 0 of Relabel
}

// mostLevels bounds the levels that a trace tells of.
const mostLevels = 1024

// Trace tells what each step of the last search did. Of a search with very many levels it tells the first.
func (s *Search) Trace() ([]Level, error) {
	levels := make([]C.g500_level, mostLevels)
	var n C.int
	code := C.g500_search_trace(s.c, &levels[0], mostLevels, &n, s.device.onStream())
	if err := check("reading the trace", code); err != nil {
		return nil, err
	}
	steps := make([]Level, n)
	for i, l := range levels[:n] {
		steps[i] = Level{
			Step: Step(l.step), Frontier: int64(l.frontier), Edges: int64(l.edges),
			Nanoseconds: int64(l.nanoseconds), Exchange: int64(l.exchange), Wait: int64(l.wait),
			Words: traffic(l.words), Pairs: traffic(l.pairs), EdgesRead: traffic(l.edges_read),
			SharedBitmap: traffic(l.shared_bitmap), SharedPairs: traffic(l.shared_pairs), Barriers: int64(l.barriers),
		}
	}
	return steps, nil
}

func traffic(t C.g500_traffic) Traffic { return Traffic{int64(t.sent), int64(t.received)} }
