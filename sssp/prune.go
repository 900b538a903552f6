// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"math"
	"slices"
	"sync/atomic"

	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/graph/engine"
	"g500/internal/par"
)

// Pruning selects edges that kernel 1 removes, in addition to self-loops and all except the lightest edge between two
// vertices. It does not change distances from any root (docs/adr/0019).
type Pruning string

const (
	// PruneNone removes no further edges.
	PruneNone Pruning = "none"
	// PruneHub removes edges that are longer than the detour over a hub: an edge between u and v of weight
	// w > D(u) + D(v) + Margin, for distances D from the hub.
	PruneHub Pruning = "hub"
)

// mostHops is the largest number of edges of a path for which Margin is proven.
const mostHops = 1 << 19

// Margin returns the largest rounding error of a detour over a hub, for the largest distance from the hub, and the
// largest number of edges of a shortest path from the hub. It is infinite, so no edge is removed, if hops exceed
// mostHops. The proof is in docs/adr/0019.
func Margin(farthest float32, hops int) float64 {
	if hops > mostHops {
		return float64(infinity)
	}
	const unit = 1.0 / (1 << 24) // the relative error of one rounded sum
	return 12 * float64(hops+1) * unit * float64(farthest)
}

// prune removes the edges of PruneHub from the rows. search is the engine's search on all edges.
func (c *common) prune(search func(root graph.Global) (engine.Result, error)) error {
	c.pruned = true
	root, err := c.largestHub()
	if err != nil || root == graph.NoParent {
		return err
	}
	if _, err := search(root); err != nil {
		return err
	}
	distances := make([]float32, len(c.labels))
	err = c.share(c.distanceBits, func(p position, bits uint32) { distances[p] = math.Float32frombits(bits) })
	if err != nil {
		return err
	}
	margin, err := c.margin(distances)
	if err == nil {
		c.dropLonger(distances, margin)
	}
	return err
}

// largestHub returns the label of the vertex with the most edges on all ranks, graph.NoParent in a graph without edges.
func (c *common) largestHub() (graph.Global, error) {
	const half = 32
	own := int64(-1)
	candidates := min(1, c.s.Connected())
	if c.s.directed() { // few arcs may leave the vertex of the highest degree
		candidates = min(landmarks, c.s.Connected())
	}
	for h := range csr.ID(candidates) {
		edges := min(c.s.Degree(h), math.MaxInt32)
		own = max(own, edges<<half|int64(math.MaxUint32-c.s.label(h)))
	}
	best, err := comm.Reduce(c.t, own, comm.Max)
	if err != nil || best < 0 {
		return graph.NoParent, err
	}
	return graph.Global(math.MaxUint32 - uint32(best)), nil
}

// margin returns the Margin for the tree of the last search, whose distances are given by position.
func (c *common) margin(distances []float32) (float64, error) {
	parents := make([]position, len(distances))
	err := c.share(
		func(h csr.ID) uint32 { return uint32(c.parent(h, distances)) },
		func(p position, parent uint32) { parents[p] = position(parent) })
	if err != nil {
		return 0, err
	}
	largest := []int64{int64(c.hops(parents)), 0}
	for h := range csr.ID(c.s.Connected()) {
		if d := c.d.at(h).distance(); d < infinity {
			largest[1] = max(largest[1], int64(math.Float32bits(d)))
		}
	}
	err = c.t.AllReduce(largest, comm.Max)
	return Margin(math.Float32frombits(uint32(largest[1])), int(largest[0])), err
}

// parent returns the position of a vertex' parent; for the root and unreached vertices, their own position.
func (c *common) parent(h csr.ID, distances []float32) position {
	e := c.d.at(h)
	for _, from := range c.s.Row(h) {
		if c.labels[from.to()] == e.parent() && distances[from.to()]+from.weight() == e.distance() {
			return from.to()
		}
	}
	return c.s.first() + position(h)
}

// hops returns the largest number of edges on a path of the tree to one of this rank's vertices. A walk to the root
// stops at the first ancestor with a known depth.
//
// Each walk ends at a root, because parents form no cycle, even if weights vanish in a sum: a vertex gets a parent only
// when its distance decreases, to at least the parent's distance. If both are equal, the parent had the distance first.
func (c *common) hops(parents []position) uint32 {
	depths := make([]uint32, len(parents)) // 0 if unknown
	deepest := make([]uint32, c.workers)
	unknown := func(p position) bool { return parents[p] != p && atomic.LoadUint32(&depths[p]) == 0 }
	par.For(c.workers, c.s.Connected(), 1<<10, func(worker, lo, hi int) {
		for h := lo; h < hi; h++ {
			start := c.s.first() + position(h)
			depth, known := uint32(0), start
			for ; unknown(known); known = parents[known] {
				depth++
			}
			depth += atomic.LoadUint32(&depths[known])
			deepest[worker] = max(deepest[worker], depth)
			for p := start; unknown(p); p = parents[p] {
				atomic.StoreUint32(&depths[p], depth)
				depth--
			}
		}
	})
	return slices.Max(deepest)
}

// dropLonger removes the edges that are longer than the detour over the hub from which the distances are.
func (c *common) dropLonger(distances []float32, margin float64) {
	s := c.s
	s.Edit(c.workers, func(_ int, h csr.ID, row []edge) int {
		own := float64(distances[s.first()+position(h)]) + margin
		kept := row[:0]
		for _, e := range row {
			if float64(e.weight()) <= own+float64(distances[e.to()]) {
				kept = append(kept, e)
			}
		}
		return len(kept)
	})
}
