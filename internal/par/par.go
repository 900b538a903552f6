// SPDX-License-Identifier: Apache-2.0

package par

import "slices"

// For calls body for pieces [lo, hi) that cover [0, n), each at most grain long, from at most workers goroutines. Each
// free goroutine takes the next piece; worker is its number, below workers. For returns when all pieces are done. If
// body panics, For panics in the caller's goroutine, after the pieces that other goroutines run.
func For(workers, n, grain int, body func(worker, lo, hi int)) {
	if workers = min(workers, (n+grain-1)/grain); workers <= 1 {
		for lo := 0; lo < n; lo += grain {
			body(0, lo, min(lo+grain, n))
		}
		return
	}
	t := takeTeam()
	t.run(newLoop(workers, n, grain, body))
	t.giveBack()
}

// sumStride separates the workers' sums, so that each has its own cache line.
const sumStride = 8

// Sum calls For and returns the sum of the numbers that body returns.
func Sum(workers, n, grain int, body func(worker, lo, hi int) int64) (sum int64) {
	sums := make([]int64, workers*sumStride)
	For(workers, n, grain, func(w, lo, hi int) { sums[w*sumStride] += body(w, lo, hi) })
	for _, s := range sums {
		sum += s
	}
	return sum
}

// First returns the lowest index in [0, n) for which holds is true, or n if there is none. It visits most indices.
func First(workers, n int, holds func(i int) bool) int {
	first := slices.Repeat([]int{n}, workers) // by worker, whose pieces are in ascending order
	For(workers, n, Grain(workers, n, 64, 4096), func(w, lo, hi int) {
		for ; lo < min(hi, first[w]); lo++ {
			if holds(lo) {
				first[w] = lo
			}
		}
	})
	return slices.Min(first)
}

// Each calls body once for each worker and returns when all calls are done. One goroutine may make several calls, so
// no call may wait for another without a limit.
func Each(workers int, body func(worker int)) {
	For(workers, workers, 1, func(_, lo, _ int) { body(lo) })
}

// Share returns the consecutive part of [0, n) for one of parts workers, all of about equal length.
func Share(n, part, parts int) (lo, hi int) { return n * part / parts, n * (part + 1) / parts }

// Grain returns a length of pieces, within bounds, for which each worker has about eight of n indices.
func Grain(workers, n, least, most int) int { return min(max(n/(8*workers), least), most) }

// SumUp replaces each element by the sum of all elements up to it.
func SumUp(workers int, v []int64) {
	sums := make([]int64, workers)
	Each(workers, func(w int) {
		lo, hi := Share(len(v), w, workers)
		for _, n := range v[lo:hi] {
			sums[w] += n
		}
	})
	Each(workers, func(w int) {
		lo, hi := Share(len(v), w, workers)
		sum := int64(0)
		for _, n := range sums[:w] {
			sum += n
		}
		for i, n := range v[lo:hi] {
			sum += n
			v[lo+i] = sum
		}
	})
}
