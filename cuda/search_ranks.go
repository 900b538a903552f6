// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include <stdlib.h>
// #include "g500cuda.h"
import "C"

import (
	"math"
	"runtime"
	"unsafe"

	"g500/policy"
)

// Ranks has the properties of all ranks that a rank needs in a search. Slices are indexed by rank, including this rank.
// Two ranks are peers if each accesses the other's device memory. Other ranks are remote.
type Ranks struct {
	NonLeaves, Edges int64    // vertices and edges of the non-leaf subgraph
	MostNonLeaves    int64    // largest number of these vertices on any rank
	Known            int64    // local ids of each rank whose labels are in Labels
	Labels           Memory   // words of the labels of the first Known local ids of each rank
	Windows          []Memory // memory for writes of peers; empty for remote ranks
	Rows, Cols       []Memory // arrays of the graph; nil unless all ranks are peers
	LocalIDs         []Memory // likewise
	Packed           []Memory // likewise, in place of Cols if rows are packed: Graph.PackedRows
	Moves            []uint64 // of Chunks arrays with packed rows of each rank: this device's address minus the owner's
	Chunks           int      // the largest number of these arrays on a rank
	Degrees          []uint32 // mean degree of each degree class, in sixteenths
	ByLevels         bool     // searches run level by level, by RunLevels: some two ranks are remote, or ids have 64 bits
	Deferred         int64    // labels to query at a time after a search; 0 if none are deferred
}

// WindowBytes returns the size of the window into which peers write; byLevels as in Ranks. It is called before Connect.
func (s *Search) WindowBytes(byLevels bool) int64 {
	return int64(C.g500_search_window_bytes(s.c, yes(byLevels)))
}

// Connect allocates the state, and clears this rank's window. All ranks must be connected before one searches.
func (s *Search) Connect(r Ranks) error {
	windows := addresses(r.Windows)
	defer C.free(unsafe.Pointer(windows))
	ranks := C.g500_ranks{
		non_leaf: C.uint64_t(r.NonLeaves), edges: C.uint64_t(r.Edges), most_non_leaf: C.uint32_t(r.MostNonLeaves),
		known: C.uint32_t(r.Known), d_labels: pointer[C.uint32_t](r.Labels.address),
		windows: windows, far: yes(r.ByLevels), deferred: C.uint32_t(r.Deferred), most_reported: math.MaxUint32,
		most_parts: policy.MostParts,
	}
	s.ranks = len(r.Windows)
	var held runtime.Pinner
	defer held.Unpin()
	if len(r.Degrees) > 0 {
		held.Pin(&r.Degrees[0])
		ranks.degrees = (*C.uint32_t)(unsafe.Pointer(&r.Degrees[0]))
	}
	if len(r.Rows) > 0 {
		ranks.rows, ranks.cols, ranks.local_ids = addresses(r.Rows), addresses(r.Cols), addresses(r.LocalIDs)
		ranks.packed = addresses(r.Packed)
		for _, list := range []*unsafe.Pointer{ranks.rows, ranks.cols, ranks.local_ids, ranks.packed} {
			defer C.free(unsafe.Pointer(list))
		}
	}
	if len(r.Moves) > 0 {
		held.Pin(&r.Moves[0])
		ranks.moves, ranks.chunks = (*C.uint64_t)(unsafe.Pointer(&r.Moves[0])), C.uint32_t(r.Chunks)
	}
	if err := check("connecting searches", C.g500_search_connect(s.c, &ranks, s.device.onStream())); err != nil {
		return s.device.Explain(err)
	}
	return nil
}

// yes converts a bool for C.
func yes(is bool) C.int {
	if is {
		return 1
	}
	return 0
}

// addresses returns a C array of addresses, which the caller frees with C.free; nil without memory.
func addresses(memory []Memory) *unsafe.Pointer {
	if len(memory) == 0 {
		return nil
	}
	list := (*unsafe.Pointer)(C.calloc(C.size_t(len(memory)), C.size_t(unsafe.Sizeof(unsafe.Pointer(nil)))))
	for r, m := range memory {
		unsafe.Slice(list, len(memory))[r] = unsafe.Pointer(pointer[byte](m.address))
	}
	return list
}
