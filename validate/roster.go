package validate

import (
	"math/bits"
	"slices"

	"g500/graph"
)

// perBucket is the mean number of ghosts that a roster's index leaves to be searched: half a cache line.
const perBucket = 8

// roster lists the vertices of one other rank that are ghosts on this one, in rising order, and finds a vertex in
// the list. Labels are scrambled, so buckets of equal width hold about equally many.
type roster struct {
	locals []graph.Local
	shift  int      // bucket of l: l >> shift
	start  []uint32 // start[b] to start[b+1] bound bucket b in locals
}

// newRoster lists the distinct other ends of the pairs, which are below count, and replaces each by its place in
// the list. A bitmap with a running count before each word does it without sorting.
func newRoster(count int, chunks [][]pair) roster {
	if len(chunks) == 0 {
		return roster{}
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
	locals := make([]graph.Local, 0, total)
	for i, word := range present {
		for ; word != 0; word &= word - 1 {
			locals = append(locals, graph.Local(64*i+bits.TrailingZeros64(word)))
		}
	}
	for _, chunk := range chunks {
		for i := range chunk {
			word, bit := chunk[i].other/64, chunk[i].other%64
			chunk[i].other = before[word] + graph.Local(bits.OnesCount64(present[word]&(1<<bit-1)))
		}
	}
	return indexed(locals, count)
}

// indexed makes the buckets of a list of locals below count.
func indexed(locals []graph.Local, count int) roster {
	r := roster{locals: locals}
	for count>>r.shift > len(locals)/perBucket+1 {
		r.shift++
	}
	r.start = make([]uint32, count>>r.shift+2)
	for _, l := range locals {
		r.start[l>>r.shift+1]++
	}
	for b := range len(r.start) - 1 {
		r.start[b+1] += r.start[b]
	}
	return r
}

// find returns the place of l in the list.
func (r *roster) find(l graph.Local) (at uint32, found bool) {
	if len(r.locals) == 0 {
		return 0, false
	}
	b := l >> r.shift
	in, found := slices.BinarySearch(r.locals[r.start[b]:r.start[b+1]], l)
	return r.start[b] + uint32(in), found
}
