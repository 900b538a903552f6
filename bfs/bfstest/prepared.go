// SPDX-License-Identifier: Apache-2.0

package bfstest

import (
	"slices"

	"g500/graph"
)

// prepared is a case with the correct levels, from a search of the tuples.
type prepared struct {
	Case
	directed   bool             // edges are arcs
	neighbours [][]graph.Global // of each label; in a directed graph, targets
	levels     [][]int32        // for each root, of each label, -1 if the search does not reach it
}

func prepare(c Case, directed bool) prepared {
	p := prepared{Case: c, directed: directed}
	for _, e := range c.Edges {
		for int64(len(p.neighbours)) <= int64(max(e.U(), e.V())) {
			p.neighbours = append(p.neighbours, nil)
		}
		if !e.SelfLoop() {
			p.neighbours[e.U()] = append(p.neighbours[e.U()], e.V())
		}
		if !e.SelfLoop() && !directed {
			p.neighbours[e.V()] = append(p.neighbours[e.V()], e.U())
		}
	}
	for _, root := range c.Roots {
		p.levels = append(p.levels, p.levelsFrom(root))
	}
	return p
}

func (p prepared) levelsFrom(root graph.Global) []int32 {
	levels := slices.Repeat([]int32{-1}, len(p.neighbours))
	levels[root] = 0
	for queue := []graph.Global{root}; len(queue) > 0; queue = queue[1:] {
		for _, to := range p.neighbours[queue[0]] {
			if levels[to] < 0 {
				levels[to] = levels[queue[0]] + 1
				queue = append(queue, to)
			}
		}
	}
	return levels
}
