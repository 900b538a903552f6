// SPDX-License-Identifier: Apache-2.0

package prefetch

import (
	"iter"
	"unsafe"
)

// Grain is the number of elements of a part.
const Grain = 64

const (
	lineBytes = 64
	distance  = 2 << 10 // bytes from the part in use to the elements that Ahead loads
)

// Parts returns the parts of a slice in order, each with the index of its first element, and loads later parts.
func Parts[T any](s []T) iter.Seq2[int, []T] {
	return func(yield func(int, []T) bool) {
		for at := 0; at < len(s); at += Grain {
			Ahead(s, at)
			if !yield(at, s[at:min(at+Grain, len(s))]) {
				return
			}
		}
	}
}

// Ahead begins to load as many elements as a part has, for a loop that uses the elements from index at on.
func Ahead[T any](s []T, at int) {
	size := int(unsafe.Sizeof(*new(T)))
	lo := min(at+distance/size, len(s))
	All(s[lo:min(lo+Grain, len(s))])
}

// All begins to load a slice.
func All[T any](s []T) {
	bytes := len(s) * int(unsafe.Sizeof(*new(T)))
	load(unsafe.Pointer(unsafe.SliceData(s)), (bytes+lineBytes-1)/lineBytes)
}

// Each begins to load lines, given by addresses in them.
func Each(lines []unsafe.Pointer) { loadEach(unsafe.SliceData(lines), len(lines)) }

// Own is Each for atomic operations, which wait for each other's lines: it also takes lines from other cores' caches.
func Own(lines []unsafe.Pointer) { own(unsafe.SliceData(lines), len(lines)) }

// Batch is the number of elements of a batch: a core can load about as many lines at a time.
const Batch = 16

// InBatches calls body for the batches of a slice in order, and load for each batch before body uses the previous one.
func InBatches[T any](s []T, load, body func(batch []T)) {
	next := s[:min(Batch, len(s))]
	load(next)
	for len(next) > 0 {
		now := next
		s = s[len(now):]
		next = s[:min(Batch, len(s))]
		load(next)
		body(now)
	}
}
