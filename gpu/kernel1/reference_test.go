// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package kernel1

import (
	"cmp"
	"math/bits"
	"slices"

	"g500/cuda"
	"g500/graph"
)

// reference is the graph of the reference implementation, by label.
type reference struct {
	ranks      int
	degree     map[uint32]int // with duplicates
	neighbours map[uint32]map[uint32]bool
	localID    map[uint32]uint32
	firstLeaf  uint32 // local ids from here on belong to leaves
}

// order is the reference implementation of kernel 1, with sorting and maps. It returns the share of each rank: vertices
// by falling degree class, then by label; rows without duplicates, sorted by local id, then by rank. Leaves are only in
// their own rows.
func order(edges []graph.Edge, ranks int) []hostGraph {
	g := reference{ranks, map[uint32]int{}, map[uint32]map[uint32]bool{}, map[uint32]uint32{}, 0}
	labels := 0
	for _, e := range edges {
		g.join(uint32(e.U()), uint32(e.V()))
		g.join(uint32(e.V()), uint32(e.U()))
		labels = max(labels, int(e.U())+1, int(e.V())+1)
	}
	shares, most := make([]hostGraph, ranks), 1<<8
	for r := range shares {
		shares[r] = g.number(r, labels)
		most = max(most, len(shares[r].labels))
	}
	for r := range shares {
		shares[r].shift = bits.Len(uint(most - 1))
		g.fill(&shares[r])
	}
	return shares
}

// join adds v to the neighbours of u.
func (g *reference) join(u, v uint32) {
	if u == v {
		return
	}
	if g.neighbours[u] == nil {
		g.neighbours[u] = map[uint32]bool{}
	}
	g.neighbours[u][v] = true
	g.degree[u]++
}

// degreeClass returns the class of a degree. Classes begin at each degree below 8, at every second from 8 on, at every
// fourth from 16 and so on, and at every 64th from 256.
func degreeClass(degree int) int {
	class, step := 0, 1
	for begin := 0; begin+step <= degree; class++ {
		begin += step
		if begin >= 8 && begin <= 256 && begin&(begin-1) == 0 {
			step *= 2
		}
	}
	return class
}

// number gives a rank's vertices their local ids.
func (g *reference) number(rank, labels int) hostGraph {
	s := hostGraph{localIDs: slices.Repeat([]uint32{cuda.NoVertex}, (labels+g.ranks-1-rank)/g.ranks)}
	for v := range g.degree {
		if int(v)%g.ranks == rank {
			s.labels = append(s.labels, v)
		}
	}
	slices.SortFunc(s.labels, func(a, b uint32) int {
		return cmp.Or(degreeClass(g.degree[b])-degreeClass(g.degree[a]), cmp.Compare(a, b))
	})
	for h, v := range s.labels {
		g.localID[v], s.localIDs[int(v)/g.ranks] = uint32(h), uint32(h)
		if g.degree[v] > 1 {
			g.firstLeaf = max(g.firstLeaf, uint32(h)+1)
		}
	}
	return s
}

// fill makes the rows of a rank's vertices.
func (g *reference) fill(s *hostGraph) {
	for _, v := range s.labels {
		var row []uint32
		for u := range g.neighbours[v] {
			if g.localID[u] < g.firstLeaf || g.localID[v] >= g.firstLeaf {
				row = append(row, u)
			}
		}
		slices.SortFunc(row, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(g.localID[a], g.localID[b]), int(a)%g.ranks-int(b)%g.ranks)
		})
		s.rows = append(s.rows, uint64(len(s.cols)))
		for _, u := range row {
			s.cols = append(s.cols, u%uint32(g.ranks)<<s.shift|g.localID[u])
		}
	}
	s.rows = append(s.rows, uint64(len(s.cols)))
}
