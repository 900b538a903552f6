//go:build cuda && cgo

package cuda

// #include <stdlib.h>
// #include "g500cuda.h"
import "C"

import (
	"math"
	"unsafe"
)

// PathRanks is what a rank of a search for shortest paths must know of all ranks. Arrays have a part of 4<<Graph.Shift
// bytes for each rank, with a 32-bit word for each hub id.
type PathRanks struct {
	Edges              int64 // of all ranks
	Heaviest           float32
	Distances, Parents Memory // for the searches; the caller brings the parts of other ranks
	Labels             Memory // of all hubs

	// Where all ranks are peers: by rank, this one included, windows of WindowBytes, and the arrays. Empty elsewhere.
	Windows, DistancesOf, ParentsOf []Memory
	Blocks                          int64 // the fewest of Paths.Blocks
}

// WindowBytes is the length of the window into which peers write during a search, the same on all ranks.
func (p *Paths) WindowBytes() int64 { return int64(C.g500_sssp_window_bytes(p.c)) }

// Blocks is how many blocks of a search this rank's device has room for.
func (p *Paths) Blocks() int64 { return int64(C.g500_sssp_blocks(p.c)) }

// Heaviest is the largest weight of this rank's edges.
func (p *Paths) Heaviest() float32 { return float32(C.g500_sssp_heaviest(p.c)) }

// Connect prepares searches on several ranks.
func (p *Paths) Connect(r PathRanks) error {
	ranks := C.g500_sssp_ranks{
		edges: C.uint64_t(r.Edges), heaviest: C.float(r.Heaviest),
		d_distances: pointer[C.uint32_t](r.Distances.address),
		d_parents:   pointer[C.uint32_t](r.Parents.address), d_labels: pointer[C.uint32_t](r.Labels.address),
	}
	if len(r.Windows) > 0 {
		windows, distances, parents := addresses(r.Windows), addresses(r.DistancesOf), addresses(r.ParentsOf)
		defer C.free(unsafe.Pointer(windows))
		defer C.free(unsafe.Pointer(distances))
		defer C.free(unsafe.Pointer(parents))
		ranks.windows = windows
		ranks.distances = (**C.uint32_t)(unsafe.Pointer(distances))
		ranks.parents = (**C.uint32_t)(unsafe.Pointer(parents))
		ranks.blocks = C.uint32_t(r.Blocks)
	}
	return p.device.short(check("connecting searches for shortest paths",
		C.g500_sssp_connect(p.c, &ranks, p.device.onStream())))
}

// PathWay is the way from a root in a tree to the core, in words that one rank can tell the others.
type PathWay [(C.sizeof_g500_sssp_way + 7) / 8]int64

// FindWay finds the way from a label that this rank owns.
func (p *Paths) FindWay(root uint32) (way PathWay, err error) {
	to := (*C.g500_sssp_way)(unsafe.Pointer(&way))
	return way, check("starting a search for shortest paths",
		C.g500_sssp_find_way(p.c, C.uint32_t(root), to, p.device.onStream()))
}

// PathTask is what ranks do between two exchanges.
type PathTask int

// The tasks of a search for shortest paths on several ranks.
const (
	PathPush          PathTask = C.G500_SSSP_DO_PUSH       // within the window, until nothing changes on this rank
	PathPushRest      PathTask = C.G500_SSSP_DO_PUSH_REST  // the same of what has changed in the last sweep
	PathTake          PathTask = C.G500_SSSP_DO_TAKE       // what others have told in a push within the window
	PathTakeRest      PathTask = C.G500_SSSP_DO_TAKE_REST  // and in the other push
	PathPull          PathTask = C.G500_SSSP_DO_PULL       // the first sweep, over a class of hub ids
	PathPullAgain     PathTask = C.G500_SSSP_DO_PULL_AGAIN // a further sweep
	PathPullLast      PathTask = C.G500_SSSP_DO_PULL_LAST  // the last one
	PathFindParents   PathTask = C.G500_SSSP_DO_FIND_PARENTS
	PathLayOutParents PathTask = C.G500_SSSP_DO_LAY_OUT_PARENTS // in the array of all ranks
	PathSettleTies    PathTask = C.G500_SSSP_DO_SETTLE_TIES
)

// PathState is what a task begins with.
type PathState struct {
	Number            int64   // of the class of PathPull; of the exchange after a push, counted from 1
	Queued            int64   // vertices in this rank's frontier
	Nearest, Farthest float32 // of PathProgress, of all ranks
	Messages          Memory  // of PathTake and PathTakeRest: all that have come
}

// PathProgress is what a rank knows after a task.
type PathProgress struct {
	Queued   int64   // vertices in the frontier
	Remote   int64   // vertices of other ranks to tell their owners of
	Tied     int64   // vertices whose nearest neighbours are as far away
	Nearest  float32 // distance of a landmark, in this round
	Farthest float32 // distance that is not final after the last sweep
}

// Begin forgets the last search, and starts on a way.
func (p *Paths) Begin(way *PathWay) (PathProgress, error) {
	task := C.g500_sssp_task{kind: C.G500_SSSP_DO_BEGIN, nearest: C.float(math.Inf(1))}
	return p.do(&task, way)
}

// Do does a task.
func (p *Paths) Do(kind PathTask, s PathState) (PathProgress, error) {
	task := C.g500_sssp_task{
		kind: C.int(kind), number: C.uint32_t(s.Number), queued: C.uint32_t(s.Queued),
		nearest: C.float(s.Nearest), farthest: C.float(s.Farthest),
		d_messages: pointer[C.g500_weighted_message](s.Messages.address),
		messages:   C.uint64_t(s.Messages.Bytes() / WeightedMessageBytes),
	}
	return p.do(&task, nil)
}

func (p *Paths) do(task *C.g500_sssp_task, way *PathWay) (PathProgress, error) {
	var after C.g500_sssp_progress
	code := C.g500_sssp_perform(p.c, task, (*C.g500_sssp_way)(unsafe.Pointer(way)), &after, p.device.onStream())
	progress := PathProgress{
		int64(after.queued), int64(after.remote), int64(after.tied), float32(after.nearest), float32(after.farthest),
	}
	return progress, p.checkSearch("searching for shortest paths", code)
}

// Classes is how many classes of hub ids PathPull goes through.
func (p *Paths) Classes() int { return int(C.g500_sssp_classes(p.c)) }

// Class gives the first hub id of a class, and that of the end. Both are multiples of four.
func (p *Paths) Class(number int) (begin, end int64) {
	var first, last C.uint32_t
	C.g500_sssp_class(p.c, C.uint32_t(number), &first, &last)
	return int64(first), int64(last)
}

// Reached makes a weighted message for each of the vertices of other ranks that have become nearer, so many.
func (b *Bins) Reached(p *Paths, remote int64, into Memory) (bytes []int64, err error) {
	messages, err := weightedList(into, into.Bytes()/WeightedMessageBytes)
	if err != nil {
		return nil, err
	}
	code := C.g500_sssp_bin_reached(p.c, b.c, C.uint32_t(remote), messages, &b.counts[0])
	return b.filled(WeightedMessageBytes, code)
}

// Finish brings the result of a search from a label into label order.
func (p *Paths) Finish(root uint32) error {
	if err := check("relabelling paths", C.g500_sssp_finish(p.c, C.uint32_t(root), p.device.onStream())); err != nil {
		return err
	}
	return p.await()
}
