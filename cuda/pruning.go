// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

// TreeLevels has the levels of the trees that are attached to the non-leaf subgraph of a pruned graph.
type TreeLevels struct{ c C.g500_tree_levels }

// WriteParents writes the parents of the last search into this rank's part of PathRanks.Parents. After that the
// searches can only be freed.
func (p *Paths) WriteParents() error {
	return check("surveying shortest paths", C.g500_sssp_write_parents(p.c, p.device.onStream()))
}

// Survey returns upper bounds of the distances and of the edges per path in the tree of all ranks.
func (p *Paths) Survey() (farthest float32, hops int, err error) {
	var distance C.float
	var edges C.uint32_t
	code := C.g500_sssp_survey(p.c, &distance, &edges, p.device.onStream())
	return float32(distance), int(edges), p.device.Explain(check("surveying shortest paths", code))
}

// Pruning removes edges from a graph and orders its vertices again (cuda/sssp/prune.cu). Its methods are called in
// order; between them several ranks all-gather PathRanks.Parents.
type Pruning struct {
	c     *C.g500_pruning
	paths *Paths
}

// Prune keeps the edges that are not longer, by a margin, than the path through the root of the last search. farthest
// is Survey's.
func (p *Paths) Prune(margin float64, farthest float32) (*Pruning, error) {
	q := &Pruning{paths: p}
	code := C.g500_pruning_create(p.c, C.double(margin), C.float(farthest), &q.c, p.device.onStream())
	return q, p.device.Explain(check("pruning", code))
}

// Order orders the vertices again, and returns the number of this rank's vertices in the non-leaf subgraph.
func (q *Pruning) Order() (nonLeaves int64, err error) {
	var own C.uint32_t
	code := C.g500_pruning_order(q.c, &own)
	return int64(own), q.paths.device.Explain(check("pruning", code))
}

// Store replaces the graph. nonLeaves is the largest result of Order on any rank.
func (q *Pruning) Store(nonLeaves int64) (*TreeLevels, error) {
	p, levels := q.paths, new(TreeLevels)
	code := C.g500_pruning_store(q.c, C.uint32_t(nonLeaves), p.graph.c, &levels.c)
	if err := check("pruning", code); err != nil {
		return nil, p.device.Explain(err)
	}
	p.graph.held.bytes = p.graph.weightedBytes()
	return levels, nil
}

// Free releases the memory.
func (q *Pruning) Free() { C.g500_pruning_free(q.c) }
