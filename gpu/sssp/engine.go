// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package sssp

import (
	"errors"
	"fmt"

	"g500/bench"
	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/kernel1"
	"g500/graph"
	"g500/internal/trace"
	"g500/partition"
	"g500/policy"
	"g500/sssp"
)

// Engine searches for shortest paths in a graph that is distributed over the devices of all ranks.
type Engine struct {
	kernel1.Partition
	t      device.Transport
	ranks  *pathRanks // nil on one rank
	graph  *kernel1.Graph
	search *cuda.Paths
	levels *cuda.TreeLevels // nil, unless one rank alone has pruned the graph
}

// Options configure an engine.
type Options struct {
	Policy policy.Policy
	Prune  sssp.Pruning
	Order  *kernel1.Order // of kernel1.Options
}

// New is kernel 1 of shortest paths.
func New(t device.Transport, given graph.WeightedTuples, o Options) (*Engine, error) {
	e := &Engine{t: t}
	if err := e.construct(given, o); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *Engine) construct(given graph.WeightedTuples, o Options) (err error) {
	if e.graph, err = kernel1.Build(e.t, given, kernel1.Options{Weighted: true, Order: o.Order}); err != nil {
		return err
	}
	e.Partition = e.graph.Partition
	if err := e.prepare(o.Policy); err != nil || o.Prune != sssp.PruneHub {
		return err
	}
	return e.pruneByHub(o.Policy)
}

// prepare prepares searches of the graph. It is collective.
func (e *Engine) prepare(p policy.Policy) error {
	sharing, err := device.NewSharing(e.t)
	if err != nil {
		return err
	}
	if n := e.graph.NonLeaves(); n >= kernel1.MostQueued {
		err = fmt.Errorf("gpu: for shortest paths a rank has fewer than %d vertices with two edges or more, and this one "+
			"has %d: use more ranks", kernel1.MostQueued, n)
	} else {
		e.search, err = e.graph.NewPaths(p, len(sharing.Ranks), e.levels)
	}
	if err := comm.Agree(e.t.Host(), err); err != nil || e.t.Host().Size() == 1 {
		return err
	}
	e.ranks, err = newPathRanks(e.t, e.graph, e.search)
	return err
}

var _ bench.Prelauncher = (*Engine)(nil)

// Prelaunch launches the kernel of the next search, which waits for its root, unless the host starts several kernels.
func (e *Engine) Prelaunch() error {
	if e.ranks != nil && !e.ranks.peers {
		return nil
	}
	return e.search.Prelaunch()
}

var _ bench.Abandoner = (*Engine)(nil)

// Abandon ends the running search.
func (e *Engine) Abandon() { e.search.End() }

// Search searches from root. The paths stay on the device.
func (e *Engine) Search(root graph.Global) (sssp.Paths, error) {
	if err := partition.CheckRoot(e.Layout(), root); err != nil {
		return nil, err
	}
	err := e.run(root)
	tree := device.Tree{Words: e.search.Parents(), Vertices: e.graph.Owned(), Bits: 64}
	return device.Paths{Tree: tree, Distances: e.search.Distances()}, err
}

func (e *Engine) run(root graph.Global) error {
	if e.ranks != nil {
		return e.ranks.run(root)
	}
	return device.Abandoned(e.search.Run(uint32(root)))
}

// Trace returns the steps of the last search, with the vertices and edges of all ranks. It is collective.
func (e *Engine) Trace() ([]trace.Step, error) {
	steps, err := e.search.Trace()
	if err != nil {
		return nil, err
	}
	sums := make([]int64, 0, 2*len(steps))
	for _, s := range steps {
		sums = append(sums, s.Frontier, s.Edges)
	}
	err = e.t.Host().AllReduce(sums, comm.Sum)
	for i := range steps {
		steps[i].Frontier, steps[i].Edges = sums[2*i], sums[2*i+1]
	}
	return steps, err
}

// Close frees the graph and everything derived from it.
func (e *Engine) Close() error { return errors.Join(e.closeSearches(), e.graph.Close()) }

func (e *Engine) closeSearches() error {
	var faults []error
	if e.search != nil {
		faults = append(faults, e.search.CancelPrelaunch()) // freeing memory waits for the kernel
	}
	if e.ranks != nil {
		faults = append(faults, e.ranks.Close())
	}
	faults = append(faults, cuda.Free(e.search))
	e.ranks, e.search = nil, nil
	return errors.Join(faults...)
}
