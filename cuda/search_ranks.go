//go:build cuda && cgo

package cuda

// #include <stdlib.h>
// #include "g500cuda.h"
import "C"

import (
	"runtime"
	"unsafe"
)

// Ranks is what a rank of a search must know of the others. Two ranks are peers if each reaches the other's device
// memory. Remote ranks, which are no peers, share host memory where they can, and exchange messages where not.
type Ranks struct {
	Hubs, Edges  int64    // vertices of the core, and edges between them, of all ranks
	MostHubs     int64    // vertices of the core that one rank has, at most
	Known        int64    // hub ids of each rank whose labels are in Labels
	Labels       Memory   // by rank, then hub id below Known: the words of labels
	Windows      []Memory // by rank, this one's included; empty where a rank is remote
	Shared       []Memory // by rank: shared-memory windows, this one's included; empty where there is none to be read
	Rows, Cols   []Memory // by rank: arrays of its graph, this one's included; none if some are no peers, or it is wide
	HubOf        []Memory // the same
	Degrees      []uint32 // mean degree in each class of hub ids, of all ranks, in sixteenths
	SomeRemote   bool     // some two ranks of the job are no peers
	SomeMessages bool     // and some two share no host memory: all hosts have to carry messages
	Deferred     int64    // labels to ask for at a time after such a search; 0 if there never are any

	// Messages replicate the bits of the first Replicated ids of each rank, rounded down to groups of 128. If that is
	// below MostHubs, ranks query others' bits, but send all if a level has more than MostQueries queries of all ranks.
	Replicated, MostQueries int64
	OtherNodes              int // to which each rank sends messages
}

// WindowBytes is the size of the window that this rank needs: memory into which its peers write, less where some two
// ranks are no peers. It has to be asked for before Connect.
func (s *Search) WindowBytes(someRemote bool) int64 {
	return int64(C.g500_search_window_bytes(s.c, yes(someRemote)))
}

// SharedWindowBytes is the size of the shared-memory window of a rank that has no more than so many vertices in the
// core: zeroed memory of the host that the devices of remote ranks there read. It has to be asked for before Connect.
func (s *Search) SharedWindowBytes(mostHubs int64) int64 {
	return int64(C.g500_search_shared_window_bytes(s.c, C.uint32_t(mostHubs)))
}

// Connect allocates the state, and clears this rank's window. No rank may search before all are connected.
func (s *Search) Connect(r Ranks) error {
	windows, shared := addresses(r.Windows), addresses(r.Shared)
	defer C.free(unsafe.Pointer(windows))
	defer C.free(unsafe.Pointer(shared))
	ranks := C.g500_ranks{
		hubs: C.uint64_t(r.Hubs), edges: C.uint64_t(r.Edges), most_hubs: C.uint32_t(r.MostHubs),
		known: C.uint32_t(r.Known), d_labels: pointer[C.uint32_t](r.Labels.address),
		windows: windows, shared: shared,
		some_remote: yes(r.SomeRemote), some_messages: yes(r.SomeMessages), deferred: C.uint32_t(r.Deferred),
		replicated: C.uint32_t(r.Replicated), most_queries: C.uint64_t(r.MostQueries),
		other_nodes: C.uint32_t(r.OtherNodes),
	}
	if len(r.Rows) > 0 {
		ranks.rows, ranks.cols, ranks.hub_of = addresses(r.Rows), addresses(r.Cols), addresses(r.HubOf)
		defer C.free(unsafe.Pointer(ranks.rows))
		defer C.free(unsafe.Pointer(ranks.cols))
		defer C.free(unsafe.Pointer(ranks.hub_of))
		var held runtime.Pinner
		defer held.Unpin()
		hubs := hubsOf(r.Rows)
		held.Pin(&hubs[0])
		ranks.hubs_of = (*C.uint32_t)(unsafe.Pointer(&hubs[0]))
		held.Pin(&r.Degrees[0])
		ranks.degrees = (*C.uint32_t)(unsafe.Pointer(&r.Degrees[0]))
	}
	if err := check("connecting searches", C.g500_search_connect(s.c, &ranks, s.device.onStream())); err != nil {
		return s.device.short(err)
	}
	if r.SomeMessages {
		s.proxy = s.newHostProxy(len(r.Windows))
	}
	return nil
}

// yes is a truth value in C.
func yes(is bool) C.int {
	if is {
		return 1
	}
	return 0
}

// hubsOf counts the rows of each rank's graph, whose row offsets these are.
func hubsOf(rows []Memory) []uint32 {
	hubs := make([]uint32, len(rows))
	for r, offsets := range rows {
		hubs[r] = uint32(offsets.Bytes()/(2*wordBytes) - 1)
	}
	return hubs
}

// addresses lists where memory lies, for C to read and to be freed by C.
func addresses(memory []Memory) *unsafe.Pointer {
	list := (*unsafe.Pointer)(C.calloc(C.size_t(len(memory)), C.size_t(unsafe.Sizeof(unsafe.Pointer(nil)))))
	for r, m := range memory {
		unsafe.Slice(list, len(memory))[r] = unsafe.Pointer(pointer[byte](m.address))
	}
	return list
}
