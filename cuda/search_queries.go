//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"runtime"
	"unsafe"
)

// FindLeafQueries returns this rank's queries about neighbours of leaves, in query mode: counts[r] 64-bit words for
// rank r, in the order of ranks. It is called between Connect and the first search.
func (s *Search) FindLeafQueries(ranks int) (counts []int64, words Memory, err error) {
	counts = make([]int64, ranks)
	var at *C.uint64_t
	into := (*C.uint64_t)(unsafe.Pointer(&counts[0]))
	code := C.g500_search_find_leaf_queries(s.c, into, &at, s.device.onStream())
	if err := check("finding queries for leaves", code); err != nil {
		return nil, Memory{}, s.device.withHoldings(err)
	}
	sum := int64(0)
	for _, n := range counts {
		sum += n
	}
	return counts, s.device.memory(unsafe.Pointer(at), 8*sum), nil
}

// TakeLeafQueries stores the other ranks' queries to this rank, in the same order. most is the largest count of
// FindLeafQueries on any rank.
func (s *Search) TakeLeafQueries(counts []int64, words []uint64, most int64) error {
	var held runtime.Pinner
	defer held.Unpin()
	list := unsafe.SliceData(words)
	if list != nil {
		held.Pin(list)
	}
	code := C.g500_search_take_leaf_queries(s.c, (*C.uint64_t)(unsafe.Pointer(&counts[0])),
		(*C.uint64_t)(unsafe.Pointer(list)), C.uint64_t(most), s.device.onStream())
	return s.device.withHoldings(check("taking queries for leaves", code))
}
