package hugepage

import "unsafe"

// size is that of a huge page on x86-64 and, with small pages of 4 KiB, on ARM.
const size = 2 << 20

// Make returns a slice of n zeros. It is an ordinary slice, shared with nobody, whether it got huge pages or not.
func Make[T any](n int) []T {
	s := make([]T, n)
	start := unsafe.Pointer(unsafe.SliceData(s))
	bytes := uintptr(n) * unsafe.Sizeof(*new(T))
	skip := -uintptr(start) % size // advice holds for whole pages
	if bytes >= skip+size {
		advise(unsafe.Slice((*byte)(unsafe.Add(start, skip)), (bytes-skip)/size*size))
	}
	return s
}
