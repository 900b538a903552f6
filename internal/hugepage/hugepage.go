// Package hugepage makes large slices on huge pages, where Linux gives them to who asks. What is read and written at
// random in such a slice needs few entries of the processor's table of pages.
package hugepage

import (
	"unsafe"
)

// size is that of a huge page on x86-64 and, with small pages of 4 KiB, on ARM.
const size = 2 << 20

// Make returns a slice of n zeros. On huge pages it depends on nothing but speed: where there are none, or the slice is
// shorter than one, it is an ordinary slice.
func Make[T any](n int) []T {
	s := make([]T, n)
	var zero T
	at, bytes := uintptr(unsafe.Pointer(unsafe.SliceData(s))), uintptr(n)*unsafe.Sizeof(zero)
	skip := -at % size
	if bytes < skip+size {
		return s
	}
	whole := (bytes - skip) / size * size
	advise(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), skip)), whole))
	return s
}
