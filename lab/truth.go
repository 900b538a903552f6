// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"context"
	"math/bits"
	"slices"
	"sync/atomic"

	"g500/internal/par"
)

// truth summarises the result of the reference implementation from a source: enough to validate other results.
type truth struct {
	source uint32
	tally         // of the reached vertices
	sum    uint64 // checksum of all distances

	frontiers []frontier // of each level
}

// frontier counts the vertices at one distance, and the edges that leave them.
type frontier struct{ vertices, edges int64 }

// tally counts vertices, and the directed edges that leave them.
type tally struct {
	reached int64
	edges   int64 // including duplicates and self-loops
	loops   int64 // self-loops among these
	kept    int64 // without duplicates and self-loops; 0 if no strategy counts these
}

func (t *tally) add(o tally) {
	t.reached, t.edges, t.loops, t.kept = t.reached+o.reached, t.edges+o.edges, t.loops+o.loops, t.kept+o.kept
}

// together is the number of sources from which a reference search starts together: a bit of a word for each.
const together = 16

// reference searches level by level from several sources together, and shares no code with any strategy. Bit s of a
// word belongs to source s.
type reference struct {
	g           *Graph
	workers     int
	loops, kept []uint32 // by vertex; kept can be nil

	seen      []uint32 // the sources that have reached a vertex
	now, next []uint32 // the sources whose frontier has a vertex: of this level, and of the next one
	frontier  []uint32 // the vertices of all frontiers
}

// newReference prepares searches. kept has the numbers of different neighbours, or is nil.
func newReference(g *Graph, kept []uint32, workers int) *reference {
	r := &reference{g: g, workers: workers, kept: kept, loops: g.loops(workers)}
	for _, words := range []*[]uint32{&r.seen, &r.now, &r.next} {
		*words = make([]uint32, g.Vertices())
	}
	return r
}

// levelTally has the counts of a worker, and of a level, by source.
type levelTally [together]struct {
	tally
	sum uint64
}

// search searches from up to 16 different sources. An error is the cause of the context's end; no search may follow it.
func (s *reference) search(ctx context.Context, sources []uint32) ([]truth, error) {
	clear(s.seen)
	truths := make([]truth, len(sources))
	s.frontier = slices.Clone(sources)
	for i, source := range sources {
		truths[i].source = source
		s.next[source] = 1 << i
	}
	for depth := uint32(0); len(s.frontier) > 0; depth++ {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		s.now, s.next = s.next, s.now
		of := s.settle(depth)
		for i := range truths {
			if t := &truths[i]; of[i].reached > 0 {
				t.add(of[i].tally)
				t.sum += of[i].sum
				t.frontiers = append(t.frontiers, frontier{of[i].reached, of[i].edges})
			}
		}
		s.expand()
	}
	return truths, nil
}

// settle counts the vertices of all frontiers, and marks them as seen.
func (s *reference) settle(depth uint32) (sum levelTally) {
	all := make([]levelTally, s.workersFor(len(s.frontier)))
	par.For(len(all), len(s.frontier), referenceGrain, func(w, lo, hi int) {
		for _, v := range s.frontier[lo:hi] {
			one := tally{1, s.g.Offsets[v+1] - s.g.Offsets[v], int64(s.loops[v]), 0}
			if s.kept != nil {
				one.kept = int64(s.kept[v])
			}
			s.seen[v] |= s.now[v]
			term := checksumTerm(v, depth)
			for left := s.now[v]; left != 0; left &= left - 1 {
				of := &all[w][bits.TrailingZeros32(left)]
				of.add(one)
				of.sum += term
			}
		}
	})
	for w := range all {
		for i := range sum {
			sum[i].add(all[w][i].tally)
			sum[i].sum += all[w][i].sum
		}
	}
	return sum
}

// expand advances to the next level, whose frontiers are in next.
func (s *reference) expand() {
	found := make([][]uint32, s.workersFor(len(s.frontier)))
	par.For(len(found), len(s.frontier), referenceGrain, func(w, lo, hi int) {
		for _, v := range s.frontier[lo:hi] {
			now := s.now[v]
			for _, to := range s.g.Row(v) {
				fresh := now &^ s.seen[to]
				if fresh == 0 || fresh&^atomic.LoadUint32(&s.next[to]) == 0 {
					continue
				}
				if atomic.OrUint32(&s.next[to], fresh) == 0 {
					found[w] = append(found[w], to)
				}
			}
		}
	})
	for _, v := range s.frontier {
		s.now[v] = 0
	}
	s.frontier = slices.Concat(found...)
}

// referenceGrain is the number of vertices that a worker takes at a time.
const referenceGrain = 64

// workersFor returns the number of workers for a frontier: one for a small frontier, for which starting others takes
// longer.
func (s *reference) workersFor(vertices int) int {
	return max(1, min(s.workers, vertices/(4*referenceGrain)))
}

// loops returns the number of self-loops of each vertex.
func (g *Graph) loops(workers int) []uint32 {
	loops := make([]uint32, g.Vertices())
	par.For(workers, g.Vertices(), pieceOf(g.Vertices(), workers), func(_, lo, hi int) {
		for v := uint32(lo); v < uint32(hi); v++ {
			for _, to := range g.Row(v) {
				if to == v {
					loops[v]++
				}
			}
		}
	})
	return loops
}

// checksum returns a hash of distances: the sum of the terms of all reached vertices.
func checksum(distances []uint32, workers int) uint64 {
	return uint64(par.Sum(workers, len(distances), pieceOf(len(distances), workers), func(_, lo, hi int) int64 {
		sum := uint64(0)
		for v, d := range distances[lo:hi] {
			if d != None {
				sum += checksumTerm(uint32(lo+v), d)
			}
		}
		return int64(sum)
	}))
}

func checksumTerm(v, distance uint32) uint64 { return mix(uint64(v)<<32 | uint64(distance)) }

// pieceOf returns a length of pieces of n items, so that each worker takes several.
func pieceOf(n, workers int) int { return max(1<<12, n/(8*workers)) }

// Distances returns the distances from one source, found with a queue.
func (g *Graph) Distances(source uint32) []uint32 {
	distances := slices.Repeat([]uint32{None}, g.Vertices())
	distances[source] = 0
	queue := []uint32{source}
	for i := 0; i < len(queue); i++ {
		for _, to := range g.Row(queue[i]) {
			if distances[to] == None {
				distances[to] = distances[queue[i]] + 1
				queue = append(queue, to)
			}
		}
	}
	return distances
}
