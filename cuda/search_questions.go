//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"runtime"
	"unsafe"
)

// FindLeafQuestions finds what this rank has to ask each other one about neighbours of leaves, where ranks ask each
// other: counts[r] words of 64 bits for rank r, one rank's after the other's. The ranks are connected, and none has
// searched.
func (s *Search) FindLeafQuestions(ranks int) (counts []int64, words Memory, err error) {
	counts = make([]int64, ranks)
	var at *C.uint64_t
	into := (*C.uint64_t)(unsafe.Pointer(&counts[0]))
	code := C.g500_search_find_leaf_queries(s.c, into, &at, s.device.onStream())
	if err := check("looking for what leaves need", code); err != nil {
		return nil, Memory{}, s.device.short(err)
	}
	sum := int64(0)
	for _, n := range counts {
		sum += n
	}
	return counts, s.device.run(unsafe.Pointer(at), 8*sum), nil
}

// TakeLeafQuestions takes those that the other ranks have for this one, in the same order, and the number of words that
// one rank has for another, at most, of all ranks.
func (s *Search) TakeLeafQuestions(counts []int64, words []uint64, most int64) error {
	var held runtime.Pinner
	defer held.Unpin()
	list := unsafe.SliceData(words)
	if list != nil {
		held.Pin(list)
	}
	code := C.g500_search_take_leaf_queries(s.c, (*C.uint64_t)(unsafe.Pointer(&counts[0])),
		(*C.uint64_t)(unsafe.Pointer(list)), C.uint64_t(most), s.device.onStream())
	return s.device.short(check("taking what leaves need", code))
}
