//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

// TreeLevels says where vertices of a pruned graph hang off its core in trees.
type TreeLevels struct{ c C.g500_tree_levels }

// LayOutTree writes the parents that the last search has found into this rank's part of PathRanks.Parents. After that
// the searches can only be freed.
func (p *Paths) LayOutTree() error {
	return check("surveying shortest paths", C.g500_sssp_lay_out_tree(p.c, p.device.onStream()))
}

// Survey tells, of the laid out tree of all ranks, a distance that none is larger than, and a number of edges that no
// path has more of.
func (p *Paths) Survey() (farthest float32, hops int, err error) {
	var distance C.float
	var edges C.uint32_t
	code := C.g500_sssp_survey(p.c, &distance, &edges, p.device.onStream())
	return float32(distance), int(edges), p.device.short(check("surveying shortest paths", code))
}

// Pruning is under way: edges are left out of a graph, and its vertices are ordered anew (cuda/sssp/prune.cu). What it
// does on several ranks is in the order of its methods; between them all ranks bring each other PathRanks.Parents.
type Pruning struct {
	c     *C.g500_pruning
	paths *Paths
}

// Prune keeps the edges that are not longer, by a margin, than the way around by the root of the last search, whose
// Survey told the farthest distance.
func (p *Paths) Prune(margin float64, farthest float32) (*Pruning, error) {
	q := &Pruning{paths: p}
	code := C.g500_pruning_create(p.c, C.double(margin), C.float(farthest), &q.c, p.device.onStream())
	return q, p.device.short(check("pruning", code))
}

// Order orders the vertices anew, and tells how many of this rank's are of the core.
func (q *Pruning) Order() (core int64, err error) {
	var own C.uint32_t
	code := C.g500_pruning_order(q.c, &own)
	return int64(own), q.paths.device.short(check("pruning", code))
}

// Store puts the new graph in place of the old one, with the highest core of all ranks.
func (q *Pruning) Store(core int64) (*TreeLevels, error) {
	p, levels := q.paths, new(TreeLevels)
	code := C.g500_pruning_store(q.c, C.uint32_t(core), p.graph.c, &levels.c)
	if err := check("pruning", code); err != nil {
		return nil, p.device.short(err)
	}
	p.graph.held.bytes = p.graph.weightedBytes()
	return levels, nil
}

// Free gives the memory back.
func (q *Pruning) Free() { C.g500_pruning_free(q.c) }
