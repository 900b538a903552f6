// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sort"

	"g500/comm"
	"g500/graph"
	"g500/internal/par"
)

// ghosts are the vertices of other ranks that have an edge tuple to this rank, each listed once. A slot is an index in
// an array with one value per owned vertex, by place, and then per ghost, by rank and local id.
type ghosts struct {
	of       []ghostList     // of[q]: the ghosts that q owns
	first    []uint32        // first[q]: the slot of q's first ghost
	exported [][]graph.Local // exported[q]: owned vertices that are ghosts on q, in the order of q's list
	slots    int             // number of owned vertices and ghosts

	window int // ghosts of one pair of ranks that one exchange sends
	steps  int // exchanges, on every rank, that send a value of every ghost
}

// newGhosts finds the ghosts among the other ends of pairs, and replaces these ends by indices in ghost lists.
func (v *Validator) newGhosts(d distributed) (ghosts, error) {
	ranks := v.t.Size()
	g := ghosts{of: make([]ghostList, ranks), first: make([]uint32, ranks), exported: make([][]graph.Local, ranks)}
	par.For(v.workers, ranks, 1, func(_, q, _ int) {
		if q != v.self {
			g.of[q] = newGhostList(v.ids.layout.Count(q), chunks(d.bins, q))
		}
	})
	g.slots = v.ids.layout.Count(v.self)
	for q := range g.of {
		g.first[q] = uint32(g.slots)
		g.slots += len(g.of[q].locals)
	}
	if g.slots > math.MaxUint32 {
		return g, fmt.Errorf("validate: rank %d has %d vertices and neighbours on other ranks, at most %d fit: "+
			"use more ranks", v.self, g.slots, math.MaxUint32)
	}
	return g, g.export(v.t, v.limit.ghosts)
}

// export sends each owner the list of its ghosts on this rank, at most perStep ghosts at a time, and receives the
// corresponding lists.
func (g *ghosts) export(t comm.Transport, perStep int) error {
	lengths, longest := make([][]uint64, t.Size()), int64(0)
	for q := range g.of {
		n := len(g.of[q].locals)
		lengths[q], longest = []uint64{uint64(n)}, max(longest, int64(n))
	}
	longest, err := comm.Reduce(t, longest, comm.Max)
	if err != nil {
		return err
	}
	g.window = max(1, perStep/t.Size())
	g.steps = (int(longest) + g.window - 1) / g.window
	counts, err := comm.Exchange(t, lengths)
	if err != nil {
		return err
	}
	for q := range counts {
		g.exported[q] = make([]graph.Local, 0, counts[q][0])
	}
	send := make([][]graph.Local, t.Size())
	for s := range g.steps {
		for q := range g.of {
			send[q] = window(g.of[q].locals, g.window, s)
		}
		got, err := comm.Exchange(t, send)
		if err != nil {
			return err
		}
		for q := range got {
			g.exported[q] = append(g.exported[q], got[q]...)
		}
	}
	return nil
}

// window returns the entries of a list that step s sends, at most size.
func window[T any](list []T, size, s int) []T {
	return list[min(s*size, len(list)):min((s+1)*size, len(list))]
}

// slot returns the slot of a vertex of another rank. If it is not a ghost, no tuple joins it to this rank.
func (g *ghosts) slot(p packedID) (slot uint32, found bool) {
	at, found := g.of[p.rank()].find(p.local())
	return g.first[p.rank()] + at, found
}

// id returns the ghost of a slot.
func (g *ghosts) id(slot uint32) packedID {
	q := sort.Search(len(g.of), func(q int) bool { return int(slot) < int(g.first[q])+len(g.of[q].locals) })
	return packedID(q)<<32 | packedID(g.of[q].locals[slot-g.first[q]])
}

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
