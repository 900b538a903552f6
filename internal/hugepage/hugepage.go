package hugepage

import "unsafe"

// size is the size of a huge page on x86-64, and on ARM with 4 KiB pages.
const size = 2 << 20

// Make returns a new slice of n zeros, with or without huge pages.
func Make[T any](n int) []T {
	s := make([]T, n)
	start := unsafe.Pointer(unsafe.SliceData(s))
	bytes := uintptr(n) * unsafe.Sizeof(*new(T))
	skip := -uintptr(start) % size // advise takes complete huge pages
	if bytes >= skip+size {
		advise(unsafe.Slice((*byte)(unsafe.Add(start, skip)), (bytes-skip)/size*size))
	}
	return s
}
