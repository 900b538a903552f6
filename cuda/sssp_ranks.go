//go:build cuda && cgo

package cuda

// #include <stdlib.h>
// #include "g500cuda.h"
import "C"

import (
	"math"
	"unsafe"
)

// PathRanks has the properties of all ranks that a rank needs in a search for shortest paths. Arrays have a part of
// 4<<Graph.Shift bytes for each rank, with a 32-bit word for each local id.
type PathRanks struct {
	Edges              int64 // of all ranks
	Heaviest           float32
	Distances, Parents Memory // arrays for searches; the caller copies the parts of other ranks
	Labels             Memory // array of the labels of all non-isolated vertices

	// If all ranks are peers: windows of WindowBytes and the arrays, by rank, including this rank; else nil.
	Windows, DistancesOf, ParentsOf []Memory
	Blocks                          int64 // the least Paths.Blocks of any rank
}

// WindowBytes returns the size of the window into which peers write, which is the same on all ranks.
func (p *Paths) WindowBytes() int64 { return int64(C.g500_sssp_window_bytes(p.c)) }

// Blocks returns the number of blocks of a search that fit on this rank's device.
func (p *Paths) Blocks() int64 { return int64(C.g500_sssp_blocks(p.c)) }

// Heaviest returns the largest weight of this rank's edges.
func (p *Paths) Heaviest() float32 { return float32(C.g500_sssp_heaviest(p.c)) }

// Connect prepares searches on several ranks. Ranks then exchange their parts of Distances and Parents, and each calls
// DeriveDetours.
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
	return p.device.withHoldings(check("connecting searches for shortest paths",
		C.g500_sssp_connect(p.c, &ranks, p.device.onStream())))
}

// DeriveDetours completes Connect: it derives bounds of paths from the weights that all ranks have exchanged.
func (p *Paths) DeriveDetours() error {
	return check("deriving bounds of shortest paths", C.g500_sssp_derive_detours(p.c, p.device.onStream()))
}

// RootPath is the path from a root in a tree to the non-leaf subgraph, in words that ranks can add up: one rank has it,
// and the others have zeros.
type RootPath [(C.sizeof_g500_sssp_root_path + 7) / 8]int64

// FindRootPath returns the path from a label that this rank owns.
func (p *Paths) FindRootPath(root uint32) (path RootPath, err error) {
	to := (*C.g500_sssp_root_path)(unsafe.Pointer(&path))
	return path, check("starting a search for shortest paths",
		C.g500_sssp_find_root_path(p.c, C.uint32_t(root), to, p.device.onStream()))
}

// PathTask is a task between two exchanges of the ranks.
type PathTask int

// The tasks of a search for shortest paths on several ranks.
const (
	PathPush          PathTask = C.G500_SSSP_DO_PUSH       // within the window, until no distance changes on this rank
	PathPushRest      PathTask = C.G500_SSSP_DO_PUSH_REST  // likewise, from vertices that the last sweep has changed
	PathTake          PathTask = C.G500_SSSP_DO_TAKE       // take other ranks' distances after PathPush
	PathTakeRest      PathTask = C.G500_SSSP_DO_TAKE_REST  // and after PathPushRest
	PathPull          PathTask = C.G500_SSSP_DO_PULL       // the first sweep, over one class of local ids
	PathPullAgain     PathTask = C.G500_SSSP_DO_PULL_AGAIN // another sweep
	PathPullLast      PathTask = C.G500_SSSP_DO_PULL_LAST  // the last sweep
	PathFindParents   PathTask = C.G500_SSSP_DO_FIND_PARENTS
	PathLayOutParents PathTask = C.G500_SSSP_DO_LAY_OUT_PARENTS // write them to PathRanks.Parents
	PathSettleTies    PathTask = C.G500_SSSP_DO_SETTLE_TIES
)

// PathState is the input of a task.
type PathState struct {
	Number            int64   // of the class, for PathPull; of the exchange after a push, from 1
	Queued            int64   // vertices in this rank's frontier
	Nearest, Farthest float32 // of PathProgress, of all ranks
	Messages          Memory  // received messages, for PathTake and PathTakeRest
}

// PathProgress is the state of a rank after a task.
type PathProgress struct {
	Queued   int64   // vertices in the frontier
	Remote   int64   // vertices of other ranks with new distances
	Tied     int64   // vertices whose nearest neighbours have the same distance
	Nearest  float32 // distance of the nearest landmark in this round
	Farthest float32 // largest distance that is not final after the last sweep
}

// Begin starts a search on the path of its root.
func (p *Paths) Begin(path *RootPath) (PathProgress, error) {
	task := C.g500_sssp_task{kind: C.G500_SSSP_DO_BEGIN, nearest: C.float(math.Inf(1))}
	return p.do(&task, path)
}

// Do performs a task.
func (p *Paths) Do(kind PathTask, s PathState) (PathProgress, error) {
	task := C.g500_sssp_task{
		kind: C.int(kind), number: C.uint32_t(s.Number), queued: C.uint32_t(s.Queued),
		nearest: C.float(s.Nearest), farthest: C.float(s.Farthest),
		d_messages: pointer[C.g500_weighted_message](s.Messages.address),
		messages:   C.uint64_t(s.Messages.Bytes() / WeightedMessages.Bytes()),
	}
	return p.do(&task, nil)
}

func (p *Paths) do(task *C.g500_sssp_task, path *RootPath) (PathProgress, error) {
	var after C.g500_sssp_progress
	code := C.g500_sssp_perform(p.c, task, (*C.g500_sssp_root_path)(unsafe.Pointer(path)), &after, p.device.onStream())
	progress := PathProgress{
		int64(after.queued), int64(after.remote), int64(after.tied), float32(after.nearest), float32(after.farthest),
	}
	return progress, p.checkSearch("searching for shortest paths", code)
}

// Classes returns the number of classes of local ids in the first sweep.
func (p *Paths) Classes() int { return int(C.g500_sssp_classes(p.c)) }

// Class returns the first local id of a class and of the next one. Both are multiples of four.
func (p *Paths) Class(number int) (begin, end int64) {
	var first, last C.uint32_t
	C.g500_sssp_class(p.c, C.uint32_t(number), &first, &last)
	return int64(first), int64(last)
}

// Reached makes weighted messages with the new distances of other ranks' vertices. remote is PathProgress.Remote.
func (b *Bins) Reached(p *Paths, remote int64, into Memory) (bytes []int64, err error) {
	messages := pointer[C.g500_weighted_message](into.address)
	code := C.g500_sssp_bin_reached(p.c, b.c, C.uint32_t(remote), messages, &b.counts[0])
	return b.filled(WeightedMessages, code)
}

// Finish writes the result of a search from root by original label.
func (p *Paths) Finish(root uint32) error {
	if err := check("writing shortest paths", C.g500_sssp_finish(p.c, C.uint32_t(root), p.device.onStream())); err != nil {
		return err
	}
	return p.await()
}
