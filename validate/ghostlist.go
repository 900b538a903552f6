// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"math/bits"
	"slices"

	"g500/graph"
)

// ghostList lists the ghosts of one other rank in rising order, and finds a vertex in the list. Labels are scrambled,
// so buckets of equal width have about equally many vertices.
type ghostList struct {
	locals []graph.Local
	shift  int      // bucket of l: l >> shift
	start  []uint32 // bucket b is locals[start[b]:start[b+1]]
}

// newGhostList lists the distinct other ends of the pairs, which are below count, and replaces each by its index in
// the list. It uses a bitmap with a running count of the bits before each word instead of sorting.
func newGhostList(count int, chunks [][]pair) ghostList {
	if len(chunks) == 0 {
		return ghostList{}
	}
	present := make([]uint64, (count+63)/64)
	for _, chunk := range chunks {
		for _, p := range chunk {
			present[p.other/64] |= 1 << (p.other % 64)
		}
	}
	before := make([]graph.Local, len(present))
	total := 0
	for i, word := range present {
		before[i] = graph.Local(total)
		total += bits.OnesCount64(word)
	}
	g := ghostList{locals: make([]graph.Local, 0, total)}
	for i, word := range present {
		for ; word != 0; word &= word - 1 {
			g.locals = append(g.locals, graph.Local(64*i+bits.TrailingZeros64(word)))
		}
	}
	for _, chunk := range chunks {
		for i := range chunk {
			word, bit := chunk[i].other/64, chunk[i].other%64
			chunk[i].other = before[word] + graph.Local(bits.OnesCount64(present[word]&(1<<bit-1)))
		}
	}
	const perBucket = 8 // mean number of ghosts in a bucket: half a cache line
	for count>>g.shift > total/perBucket+1 {
		g.shift++
	}
	g.start = make([]uint32, count>>g.shift+2)
	for _, l := range g.locals {
		g.start[l>>g.shift+1]++
	}
	for b := range len(g.start) - 1 {
		g.start[b+1] += g.start[b]
	}
	return g
}

// find returns the index of l in the list.
func (g *ghostList) find(l graph.Local) (at uint32, found bool) {
	if len(g.locals) == 0 {
		return 0, false
	}
	b := l >> g.shift
	in, found := slices.BinarySearch(g.locals[g.start[b]:g.start[b+1]], l)
	return g.start[b] + uint32(in), found
}
