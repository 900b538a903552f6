package bfs

import "g500/internal/trace"

// direction is the way in which a level is searched.
type direction int

const (
	topDown  direction = iota // frontier vertices look at all their neighbours
	bottomUp                  // unvisited vertices look for one neighbour in the frontier
)

// step is its name in a trace.
func (d direction) step() string {
	if d == topDown {
		return trace.TopDownStep
	}
	return trace.BottomUpStep
}

// Alpha and Beta are the two constants of the direction rule, the same for every search key. Beamer et al. (SC 2012,
// section 5) found 14 and 24 for lists in random order. Degree order makes a bottom-up level cheaper, about one probe a
// vertex, which moves the first switch forward. Vertices and edges are counted in the core.
const (
	Alpha = 30 // to bottom-up when the frontier has more than 1/Alpha of the edges not yet looked at
	Beta  = 64 // back when the frontier has fewer than 1/Beta of the vertices
)

// progress is the input of the direction rule; the figures are sums over all ranks.
type progress struct {
	vertices   int64 // of the core
	unexplored int64 // directed edges that no top-down level has looked at
	frontier   int64 // vertices in the frontier
	edges      int64 // directed edges that leave the frontier; known in top-down only
}

// next chooses the direction of the next level.
func (p progress) next(now direction) direction {
	switch {
	case now == topDown && p.edges*Alpha > p.unexplored && p.frontier > 1:
		return bottomUp
	case now == bottomUp && p.frontier*Beta < p.vertices:
		return topDown
	}
	return now
}
