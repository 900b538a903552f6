// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

// Package sssp searches for shortest paths on GPUs: kernel 3, with the kernels of cuda/sssp.
package sssp

import (
	"errors"
	"fmt"
	"math"

	"g500/bench"
	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/kernel1"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/trace"
	"g500/partition"
	"g500/policy"
	"g500/sssp"
)

// Engine searches for shortest paths in a graph that is distributed over the devices of all ranks.
//
// Each of several ranks stores a distance of every vertex in the non-leaf subgraph: the current one of its own
// vertices, and an upper bound of other ranks' vertices. If all ranks are peers with atomics in each other's memory,
// kernels exchange (cuda/sssp/owner.cuh); otherwise the host starts each kernel and exchanges between them
// (cuda/sssp/far_paths.cuh).
type Engine struct {
	t      device.Transport
	graph  *kernel1.Graph
	search *cuda.Paths
	levels *cuda.TreeLevels // nil, unless one rank alone has pruned the graph

	// Of several ranks:
	part, inner                int64          // bytes of a rank's part of the arrays, and of its non-leaf subgraph
	distances, parents, labels *device.Window // a word for each local id of each rank
	window                     *device.Window // for writes of peers during a search
	light                      *device.Window // light edges of all ranks that are not peers; nil without them
}

// Options configure an engine.
type Options struct {
	Policy policy.Policy
	Prune  sssp.Pruning
	Order  *kernel1.Order // of kernel1.Options
}

// New is kernel 1 of shortest paths.
func New(t device.Transport, given graph.Tuples, o Options) (*Engine, error) {
	e := &Engine{t: t}
	if err := e.construct(given, o); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *Engine) construct(given graph.Tuples, o Options) (err error) {
	if e.graph, err = kernel1.Build(e.t, given, kernel1.Options{Weighted: true, Order: o.Order}); err != nil {
		return err
	}
	if err := e.prepare(o.Policy); err != nil || o.Prune != sssp.PruneHub {
		return err
	}
	return e.pruneByHub(o.Policy)
}

// prepare prepares searches of the graph. It is collective.
func (e *Engine) prepare(p policy.Policy) (err error) {
	if n := e.graph.NonLeaves(); n >= kernel1.MostQueued {
		err = fmt.Errorf("gpu: for shortest paths a rank has fewer than %d vertices with two edges or more, and this one "+
			"has %d: use more ranks", kernel1.MostQueued, n)
	} else {
		e.search, err = e.graph.NewPaths(p, len(e.t.Sharers()), e.levels)
	}
	if err := comm.Agree(e.t.Host(), err); err != nil || e.t.Host().Size() == 1 {
		return err
	}
	return e.connect()
}

// Layout returns the assignment of vertices to ranks.
func (e *Engine) Layout() partition.Layout { return e.graph.Layout() }

// HasEdge reports whether an owned vertex has an edge to another vertex.
func (e *Engine) HasEdge(l graph.Local) bool { return e.graph.HasEdge(l) }

var _ bench.Prelauncher = (*Engine)(nil)

// Prelaunch launches the kernel of the next search, which waits for its root, unless the host starts several kernels.
func (e *Engine) Prelaunch() error { return e.search.Prelaunch() }

var _ bench.Abandoner = (*Engine)(nil)

// Abandon ends the running search.
func (e *Engine) Abandon() { e.search.End() }

// Search searches from root. The paths stay on the device.
func (e *Engine) Search(root graph.Global) (engine.Result, error) {
	err := device.Abandoned(e.search.Run(uint64(root)))
	distances := e.search.Distances()
	return device.Result{Parents: e.search.Parents(), Vertices: e.graph.Owned(), Bits: 64, Distances: &distances}, err
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
	faults = append(faults, e.distances.Close(), e.parents.Close(), e.labels.Close(), e.window.Close(), e.light.Close(),
		cuda.Free(e.search))
	e.search = nil
	return errors.Join(faults...)
}

// connect joins the searches of all ranks. It is collective.
func (e *Engine) connect() error {
	host, g := e.t.Host(), e.graph
	e.part = int64(kernel1.LabelBytes) << g.Shift()
	peers, err := device.AtomicPeers(e.t)
	if err != nil {
		return err
	}
	sums := []int64{g.Edges()}
	most := []int64{g.NonLeaves(), int64(math.Float32bits(e.search.Heaviest()))}
	fewest := []int64{e.search.Blocks()}
	err = errors.Join(host.AllReduce(sums, comm.Sum), host.AllReduce(most, comm.Max), host.AllReduce(fewest, comm.Min))
	if err != nil {
		return err
	}
	e.inner = kernel1.LabelBytes * ((most[0] + 3) &^ 3) // slices are multiples of 16 bytes
	if err := e.open(peers); err != nil {
		return err
	}
	if e.labels, err = g.ShareLabels(e.part / kernel1.LabelBytes); err != nil {
		return err
	}
	known := cuda.PathRanks{
		Edges: sums[0], Heaviest: math.Float32frombits(uint32(most[1])),
		Distances: e.distances.Memory, Parents: e.parents.Memory, Labels: e.labels.Memory,
	}
	if peers {
		known.Blocks = fewest[0]
		known.Windows = device.ByRank(e.t, e.window)
		known.DistancesOf, known.ParentsOf = device.ByRank(e.t, e.distances), device.ByRank(e.t, e.parents)
	} else if known.Exchanges, err = e.t.Exchanges(); err != nil {
		return err
	}
	if err := comm.Agree(host, e.search.Connect(known)); err != nil {
		return err
	}
	if err := errors.Join(e.t.Barrier(), e.broadcast(e.distances), e.broadcast(e.parents)); err != nil {
		return err
	}
	if !peers {
		if err := e.shareLight(); err != nil {
			return err
		}
	}
	if err := comm.Agree(host, e.search.DeriveDetours()); err != nil {
		return err
	}
	return e.t.Barrier()
}

// shareLight gives every rank the light edges of all, unless there are too many. It is collective.
func (e *Engine) shareLight() error {
	host := e.t.Host()
	own, err := e.search.CountLight()
	most, err := comm.ReduceAgreed(host, own, comm.Max, err)
	most = (most + 1) &^ 1 // parts are multiples of 16 bytes
	entries := int64(host.Size()) * most
	if err != nil || entries == 0 || entries > policy.LightEntries {
		return err
	}
	if e.light, err = e.t.Open("light edges", entries*cuda.LightBytes); err != nil {
		return err
	}
	if err := comm.Agree(host, e.search.StoreLight(e.light.Memory, most)); err != nil {
		return err
	}
	return e.t.AllGather(e.light, most*cuda.LightBytes)
}

// open opens the windows. It is collective.
func (e *Engine) open(peers bool) (err error) {
	n := int64(e.t.Host().Size())
	if e.distances, err = e.t.Open("distances", n*e.part); err != nil {
		return err
	}
	if e.parents, err = e.t.Open("parents", n*e.part); err != nil {
		return err
	}
	if peers {
		e.window, err = e.t.Open("search", e.search.WindowBytes())
	}
	return err
}

// broadcast sends each rank's part of the non-leaf subgraph in a window to all ranks.
func (e *Engine) broadcast(w *device.Window) error {
	return e.t.AllGatherFront(w, e.part, e.inner)
}

// pruneByHub searches from a vertex with very high degree, and replaces the graph by the pruned graph (ADR 19). It is
// collective.
func (e *Engine) pruneByHub(p policy.Policy) error {
	hub, err := e.greatestHub()
	if err != nil || hub == graph.NoParent {
		return err
	}
	if err := device.Abandoned(e.search.Run(uint64(hub))); err != nil {
		return err
	}
	levels, err := e.pruneByPaths()
	if err != nil {
		return err
	}
	if e.t.Host().Size() == 1 { // on several ranks no trees are stripped
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
	best, err = comm.ReduceAgreed(e.t.Host(), best, comm.Max, err)
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
	if err := comm.Agree(e.t.Host(), failed); err != nil || e.parents == nil {
		return err
	}
	return e.t.AllGather(e.parents, e.part)
}
