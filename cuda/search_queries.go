//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"runtime"
	"unsafe"
)

// FindLeafQueries finds this rank's queries to each other one about neighbours of leaves, in query mode: counts[r]
// words of 64 bits for rank r, one rank's after the other's. The ranks are connected, and none has searched.
func (s *Search) FindLeafQueries(ranks int) (counts []int64, words Memory, err error) {
	counts = make([]int64, ranks)
	var at *C.uint64_t
	into := (*C.uint64_t)(unsafe.Pointer(&counts[0]))
	code := C.g500_search_find_leaf_queries(s.c, into, &at, s.device.onStream())
	if err := check("finding queries for leaves", code); err != nil {
		return nil, Memory{}, s.device.short(err)
	}
	sum := int64(0)
	for _, n := range counts {
		sum += n
	}
	return counts, s.device.run(unsafe.Pointer(at), 8*sum), nil
}

// TakeLeafQueries takes the other ranks' queries to this one, in the same order, and the most words that one rank of
// all has for another.
func (s *Search) TakeLeafQueries(counts []int64, words []uint64, most int64) error {
	var held runtime.Pinner
	defer held.Unpin()
	list := unsafe.SliceData(words)
	if list != nil {
		held.Pin(list)
	}
	code := C.g500_search_take_leaf_queries(s.c, (*C.uint64_t)(unsafe.Pointer(&counts[0])),
		(*C.uint64_t)(unsafe.Pointer(list)), C.uint64_t(most), s.device.onStream())
	return s.device.short(check("taking queries for leaves", code))
}
