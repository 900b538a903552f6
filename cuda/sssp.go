// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"runtime"
	"unsafe"

	"g500/internal/trace"
	"g500/policy"
)

// Paths has one rank's state of kernel 3: searches for shortest paths in a graph with weights.
type Paths struct{ searching }

// NewPaths prepares searches for shortest paths in a graph with weights, which must outlive it. levels are nil unless
// one rank has pruned the graph; sharers is the number of ranks that search on this device at the same time.
func (g *Graph) NewPaths(given policy.Policy, sharers int, levels *TreeLevels) (p *Paths, err error) {
	d := g.device
	converted := pathsPolicy(d.prelaunching(given))
	var trees *C.g500_tree_levels
	if levels != nil {
		trees = &levels.c
	}
	p = &Paths{searching{graph: g, name: "a search for shortest paths", where: inPathStep, wait: given.Wait()}}
	p.Allocated, err = d.Allocate("shortest paths", func() error {
		return check("preparing searches for shortest paths",
			C.g500_sssp_create(g.c, trees, &converted, C.uint32_t(sharers), &p.c, d.onStream()))
	}, func() { C.g500_searching_free(p.c) })
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Prelaunch is the one of both kernels, unless the host starts several kernels.
func (p *Paths) Prelaunch() error {
	if p.exchanges != nil {
		return nil
	}
	return p.searching.Prelaunch()
}

// Parents returns the 64-bit labels of the parents of owned labels in the last search, or -1.
func (p *Paths) Parents() Memory {
	return p.device.At(unsafe.Pointer(C.g500_sssp_parents(p.c)), 2*wordBytes*p.graph.Owned())
}

// Distances returns the single-precision distances of owned labels in the last search, -1 for unreached vertices.
func (p *Paths) Distances() Memory {
	return p.device.At(unsafe.Pointer(C.g500_sssp_distances(p.c)), wordBytes*p.graph.Owned())
}

// pathSteps has the names of the steps by number.
var pathSteps = [C.G500_SSSP_STEPS]string{
	C.G500_SSSP_START: trace.StartStep, C.G500_SSSP_PUSH: trace.PushStep, C.G500_SSSP_PULL: trace.PullStep,
	C.G500_SSSP_PULL_AGAIN: trace.PullAgainStep, C.G500_SSSP_PUSH_REST: trace.PushRestStep,
	C.G500_SSSP_TIES: trace.TiesStep, C.G500_SSSP_TREES: trace.TreesStep, C.G500_SSSP_RESULT: trace.ResultStep,
}

// Trace returns the steps of the last search on this rank.
func (p *Paths) Trace() ([]trace.Step, error) {
	var raw [C.G500_SSSP_STEPS]C.g500_sssp_step
	if err := check("reading the trace", C.g500_sssp_trace(p.c, &raw[0], p.device.onStream())); err != nil {
		return nil, err
	}
	steps := make([]trace.Step, len(raw))
	for i, s := range raw {
		steps[i] = trace.Step{Name: pathSteps[i], Frontier: int64(s.vertices), Edges: int64(s.edges),
			Nanoseconds: int64(s.nanoseconds + s.exchange), Compute: int64(s.nanoseconds), Exchange: int64(s.exchange)}
	}
	return steps, nil
}

// PathRanks has the properties of all ranks that a rank needs in a search for shortest paths. Arrays have a part of
// 4<<Graph.Shift bytes for each rank, with a 32-bit word for each local id.
type PathRanks struct {
	Edges              int64 // of all ranks
	Heaviest           float32
	Distances, Parents Memory // arrays for searches; the caller copies the parts of other ranks
	Labels             Memory // array of the labels of all non-isolated vertices

	// If all ranks are peers: windows of WindowBytes and the arrays, by rank, including this rank; else nil.
	Windows, DistancesOf, ParentsOf []Memory
	Blocks                          int64 // the least Paths.Blocks of any rank

	Exchanges Exchanges // else, by which the host drives searches; nil if all ranks are peers
}

// mostListed is the space for distances in a rank's first report, if they fit.
const mostListed = 1 << 20

// WindowBytes returns the size of the window into which peers write, which is the same on all ranks.
func (p *Paths) WindowBytes() int64 { return int64(C.g500_sssp_window_bytes(p.c)) }

// Blocks returns the number of blocks of a search that fit on this rank's device.
func (p *Paths) Blocks() int64 { return int64(C.g500_sssp_blocks(p.c)) }

// Heaviest returns the largest weight of this rank's edges.
func (p *Paths) Heaviest() float32 { return float32(C.g500_sssp_heaviest(p.c)) }

// Connect prepares searches on several ranks. Ranks then exchange their parts of Distances and Parents, and each calls
// DeriveDetours.
func (p *Paths) Connect(r PathRanks) error {
	var held runtime.Pinner
	defer held.Unpin()
	ranks := C.g500_sssp_ranks{
		edges: C.uint64_t(r.Edges), heaviest: C.float(r.Heaviest),
		d_distances: pointer[C.uint32_t](r.Distances.address),
		d_parents:   pointer[C.uint32_t](r.Parents.address), d_labels: pointer[C.uint32_t](r.Labels.address),
		windows: addresses(r.Windows, &held), blocks: C.uint32_t(r.Blocks), listed: mostListed,
		distances: (**C.uint32_t)(unsafe.Pointer(addresses(r.DistancesOf, &held))),
		parents:   (**C.uint32_t)(unsafe.Pointer(addresses(r.ParentsOf, &held))),
	}
	p.exchanges = r.Exchanges
	return p.device.Explain(check("connecting searches for shortest paths",
		C.g500_sssp_connect(p.c, &ranks, p.device.onStream())))
}

// CountLight returns the number of this rank's entries with light edges, of LightBytes each. It is called between
// Connect and DeriveDetours, of ranks that are not peers.
func (p *Paths) CountLight() (int64, error) {
	var count C.uint64_t
	err := check("counting light edges", C.g500_sssp_count_light(p.c, &count, p.device.onStream()))
	return int64(count), err
}

// LightBytes is the size of an entry with a light edge.
const LightBytes = 8

// StoreLight writes this rank's entries into its part of a memory with `most` entries of each rank, which must outlive
// the searches. Ranks then exchange their parts.
func (p *Paths) StoreLight(all Memory, most int64) error {
	return check("storing light edges", C.g500_sssp_store_light(p.c, pointer[C.uint64_t](all.address), C.uint64_t(most),
		p.device.onStream()))
}

// DeriveDetours completes Connect: it derives bounds of paths from the weights that all ranks have exchanged.
func (p *Paths) DeriveDetours() error {
	return check("deriving bounds of shortest paths", C.g500_sssp_derive_detours(p.c, p.device.onStream()))
}

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
	p.graph.held.bytes = p.graph.bytes() + wordBytes*p.graph.Edges() // with weights
	return levels, nil
}

// Free releases the memory.
func (q *Pruning) Free() { C.g500_pruning_free(q.c) }
