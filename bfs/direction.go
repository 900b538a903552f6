// SPDX-License-Identifier: Apache-2.0

package bfs

import "g500/internal/trace"

// direction is the direction of a level's search, by its name in a trace.
type direction string

const (
	topDown  direction = trace.TopDownStep  // frontier vertices examine all their neighbours
	bottomUp direction = trace.BottomUpStep // unvisited vertices look for one neighbour in the frontier
)

// Constants of the CPUs' direction rule (GPUs: package policy), for every search key. Beamer et al. (SC 2012, section
// 5) found an Alpha of 14 and a Beta of 24 for lists in random order. With degree order, a bottom-up level takes about
// one probe per vertex, therefore the first switch is earlier. Vertices and edges of the non-leaf subgraph count.
//
// In a directed graph, a bottom-up level examines the complete rows of the vertices that no path leads to, which may be
// most. Therefore the arcs that leave the frontier are counted exactly, also after a bottom-up level, and a level is
// bottom-up only if they are many.
//
// Several ranks switch earlier: in a top-down level they also send pairs, several for each vertex that is reached.
const (
	Alpha        = 60  // to bottom-up if the frontier has more than 1/Alpha of the unexplored edges,
	AlphaOfRanks = 100 // the same on several ranks,
	Dense        = 4   // and more than 1/Dense of an edge per vertex, because a bottom-up level visits every vertex
	Beta         = 64  // to top-down if the frontier has fewer than 1/Beta of the vertices
	FromFrontier = 30  // a bottom-up level may end with the frontier's edges if below 1/FromFrontier of the unexplored
)

// isLong reports whether a frontier has at least 1/Beta of the vertices.
func isLong(frontier, vertices int64) bool { return frontier*Beta >= vertices }

// progress is the input of the direction rule, as sums over all ranks.
type progress struct {
	vertices   int64 // of the non-leaf subgraph
	unexplored int64 // directed edges that no top-down level has examined
	frontier   int64 // vertices in the frontier
	edges      int64 // directed edges that leave the frontier; 0 after a bottom-up level in an undirected graph
	alpha      int64 // Alpha or AlphaOfRanks
	directed   bool  // the graph is
}

// next chooses the direction of the next level.
func (p progress) next(now direction) direction {
	many := p.edges*p.alpha > p.unexplored && p.edges*Dense > p.vertices
	switch {
	case p.directed && !many:
		return topDown
	case now == topDown && many && p.frontier > 1:
		return bottomUp
	case now == bottomUp && !isLong(p.frontier, p.vertices):
		return topDown
	}
	return now
}

// endsFromFrontier reports whether so few edges leave the frontier that a bottom-up level may end with them.
func (p progress) endsFromFrontier() bool { return p.edges > 0 && p.edges*FromFrontier < p.unexplored }
