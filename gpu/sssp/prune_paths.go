// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package sssp

import (
	"errors"
	"math"

	"g500/comm"
	"g500/cuda"
	"g500/graph"
	"g500/policy"
	"g500/sssp"
)

// pruneByHub searches from a vertex with very high degree, and replaces the graph by the pruned graph (ADR 19). It is
// collective.
func (e *Engine) pruneByHub(p policy.Policy) error {
	hub, err := e.greatestHub()
	if err != nil || hub == graph.NoParent {
		return err
	}
	if err := e.run(hub); err != nil {
		return err
	}
	levels, err := e.pruneByPaths()
	if err != nil {
		return err
	}
	if e.ranks == nil { // on several ranks no trees are stripped
		e.levels = levels
	}
	if err := comm.Agree(e.t.Host(), e.closeSearches()); err != nil {
		return err
	}
	p.SSSPWindow, p.SSSPSweeps = p.SSSPPruned, max(p.SSSPSweeps-1, 1)
	return e.prepare(p)
}

// greatestHub returns the label of the vertex with the longest row among the first vertices of all ranks, or
// graph.NoParent if all vertices are isolated. First vertices are not leaves, if there is any non-leaf.
func (e *Engine) greatestHub() (graph.Global, error) {
	const half = 32
	best := int64(-1)
	var err error
	if e.graph.NonIsolated() > 0 {
		var label uint32
		row := make([]uint64, 2)
		label, err = e.graph.FirstLabel()
		err = errors.Join(err, cuda.Read(row, e.graph.Rows(), 0))
		best = min(int64(row[1]), math.MaxInt32)<<half | int64(label)
	}
	if err := comm.Agree(e.t.Host(), err); err != nil {
		return graph.NoParent, err
	}
	best, err = comm.Reduce(e.t.Host(), best, comm.Max)
	if err != nil || best < 0 {
		return graph.NoParent, err
	}
	return graph.Global(uint32(best)), nil
}

// pruneByPaths removes edges by the paths of the last search. Afterwards the searches can only be closed.
func (e *Engine) pruneByPaths() (*cuda.TreeLevels, error) {
	host := e.t.Host()
	if err := e.shareWords(e.search.WriteParents()); err != nil {
		return nil, err
	}
	farthest, hops, err := e.search.Survey()
	if err := comm.Agree(host, err); err != nil {
		return nil, err
	}
	p, err := e.search.Prune(sssp.Margin(farthest, hops), farthest)
	defer p.Free()
	if err := e.shareWords(err); err != nil {
		return nil, err
	}
	own, err := p.Order()
	if err := e.shareWords(err); err != nil {
		return nil, err
	}
	most, err := comm.Reduce(host, own, comm.Max)
	if err != nil {
		return nil, err
	}
	levels, err := p.Store(most)
	return levels, comm.Agree(host, err)
}

// shareWords all-gathers the words that a step has written, unless the step failed on a rank.
func (e *Engine) shareWords(failed error) error {
	if err := comm.Agree(e.t.Host(), failed); err != nil || e.ranks == nil {
		return err
	}
	return e.t.AllGather(e.ranks.parents, e.ranks.part)
}
