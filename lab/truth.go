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
	tally  // of the reached vertices

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

	sum uint64 // checksum of the distances
}

func (t *tally) add(o tally) {
	t.reached, t.edges, t.loops, t.kept = t.reached+o.reached, t.edges+o.edges, t.loops+o.loops, t.kept+o.kept
	t.sum += o.sum
}

// together is the number of sources from which a reference search starts together: two bits of a word for each.
const together = 16

// reference searches level by level from several sources together, and shares no code with any strategy. Bit s belongs
// to source s.
type reference struct {
	g           *Graph
	loops, kept []uint32 // by vertex; kept can be nil

	state    []uint32 // by vertex: the sources that have reached it; from bit 16 on those whose next frontier has it
	frontier []uint32 // the vertices of all frontiers
	now      []uint32 // the sources that have each of these
}

// newReference prepares searches. kept has the numbers of different neighbours, or is nil.
func newReference(g *Graph, kept []uint32) *reference {
	return &reference{g: g, kept: kept, loops: g.count(isLoop), state: make([]uint32, g.Vertices())}
}

// levelTally has the counts of a worker, and of a level, by source.
type levelTally [together]tally

// search searches from up to 16 different sources. An error is the cause of the context's end.
func (s *reference) search(ctx context.Context, sources []uint32) ([]truth, error) {
	clear(s.state)
	truths := make([]truth, len(sources))
	s.frontier = slices.Clone(sources)
	for i, source := range sources {
		truths[i].source = source
		s.state[source] = 1 << (together + i)
	}
	for depth := uint32(0); len(s.frontier) > 0; depth++ {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		of := s.settle(depth)
		for i := range truths {
			if t := &truths[i]; of[i].reached > 0 {
				t.add(of[i])
				t.frontiers = append(t.frontiers, frontier{of[i].reached, of[i].edges})
			}
		}
		s.expand()
	}
	return truths, nil
}

// settle counts the vertices of all frontiers, and marks them as seen.
func (s *reference) settle(depth uint32) (sum levelTally) {
	all := make([]levelTally, workersFor(len(s.frontier)))
	s.now = make([]uint32, len(s.frontier))
	par.For(len(all), len(s.frontier), referenceGrain, func(w, lo, hi int) {
		for i, v := range s.frontier[lo:hi] {
			now := s.state[v] >> together
			s.state[v] = (s.state[v] | now) & (1<<together - 1)
			s.now[lo+i] = now
			one := tally{1, s.g.Offsets[v+1] - s.g.Offsets[v], int64(s.loops[v]), 0, checksumTerm(v, depth)}
			if s.kept != nil {
				one.kept = int64(s.kept[v])
			}
			for left := now; left != 0; left &= left - 1 {
				all[w][bits.TrailingZeros32(left)].add(one)
			}
		}
	})
	for w := range all {
		for i := range sum {
			sum[i].add(all[w][i])
		}
	}
	return sum
}

// expand advances to the next level: its vertices are in frontier, their sources in the high bits of state.
func (s *reference) expand() {
	found := make([][]uint32, workersFor(len(s.frontier)))
	par.For(len(found), len(s.frontier), referenceGrain, func(w, lo, hi int) {
		for i, v := range s.frontier[lo:hi] {
			for _, to := range s.g.Row(v) {
				word := atomic.LoadUint32(&s.state[to])
				fresh := s.now[lo+i] &^ (word | word>>together)
				if fresh != 0 && atomic.OrUint32(&s.state[to], fresh<<together)>>together == 0 {
					found[w] = append(found[w], to)
				}
			}
		}
	})
	s.frontier = slices.Concat(found...)
}

// referenceGrain is the number of vertices that a worker takes at a time.
const referenceGrain = 64

// workersFor returns the number of workers for a frontier: one for a small frontier, for which starting others takes
// longer.
func workersFor(vertices int) int { return max(1, min(cores, vertices/(4*referenceGrain))) }

// checksum returns a hash of distances: the sum of the terms of all reached vertices.
func checksum(distances []uint32) uint64 {
	return uint64(par.Sum(cores, len(distances), pieceOf(len(distances)), func(_, lo, hi int) int64 {
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
