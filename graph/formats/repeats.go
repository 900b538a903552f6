// SPDX-License-Identifier: Apache-2.0

package formats

import "sync/atomic"

// Repeats counts the edges that a simple graph does not have.
type Repeats struct {
	Loops      int64 `json:"self_loops"` // edges from a vertex to itself
	Duplicates int64 `json:"duplicates"` // copies of edges, in either direction if undirected
}

// mirrored reports whether the list has each tuple with different ends equally often in both directions.
func (l *list) mirrored(workers int) bool {
	var checksum atomic.Uint64
	l.eachChunk(workers, func(_ int64, c *chunk) {
		sum := uint64(0)
		for _, e := range c.pairs {
			switch {
			case e.u < e.v:
				sum += mix(uint64(e.u)<<32 | uint64(e.v))
			case e.u > e.v:
				sum -= mix(uint64(e.v)<<32 | uint64(e.u))
			}
		}
		checksum.Add(sum)
	})
	return checksum.Load() == 0
}

// countRepeats counts the self-loops and duplicates in sorted rows of all entries; to returns the end of an entry. If
// the input lists each undirected edge from both ends, as DIMACS does, the second tuple is no duplicate.
func countRepeats[E uint32 | uint64](b *builder, entries []E, to func(E) uint32) {
	var loops, first, copies atomic.Int64
	b.g.eachRows(b.workers, func(lo, hi int) {
		var same, other [2]int64 // entries with equal and different ends: first ones, and copies
		for v := lo; v < hi; v++ {
			row := entries[b.g.Offsets[v]:b.g.Offsets[v+1]]
			for i, e := range row {
				count := &other
				if int(to(e)) == v {
					count = &same
				}
				if i > 0 && to(e) == to(row[i-1]) {
					count[1]++
				} else {
					count[0]++
				}
			}
		}
		first.Add(same[0])
		loops.Add(same[0] + same[1])
		copies.Add(other[1])
	})
	sides := int64(2) // entries of an edge with different ends
	if b.directed {
		sides = 1
	}
	b.g.Repeats = Repeats{loops.Load(), copies.Load() / sides}
	switch {
	case b.keepLoops && b.keepDuplicates:
		b.g.loops = loops.Load()
	case b.keepLoops:
		b.g.loops = first.Load()
	}
	if b.mirrored && !b.directed && !b.keepDuplicates {
		b.g.Duplicates -= (b.tuples - b.g.Loops) / 2
	}
}
