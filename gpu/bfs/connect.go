// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package bfs

import (
	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/kernel1"
	"g500/internal/lists"
)

// connect joins the ranks' searches. It is collective.
func (e *Engine) connect() error {
	host := e.t.Host()
	ranks, err := e.countRanks()
	if err != nil {
		return err
	}
	steps := []func(*cuda.Ranks) error{e.openWindow}
	if host.Size() > 1 {
		steps = append(steps, e.shareLabels)
		if ranks.Exchanges != nil {
			steps = append(steps, e.prepareDeferred, e.countDegrees)
		} else {
			steps = append(steps, e.exposeGraph)
		}
	}
	for _, step := range steps {
		if err := step(ranks); err != nil {
			return err
		}
	}
	if err := comm.Agree(host, e.search.Connect(*ranks)); err != nil {
		return err
	}
	if ranks.Exchanges != nil {
		if err := comm.Agree(host, e.search.PrepareLevels()); err != nil {
			return err
		}
	}
	return e.t.Barrier()
}

// countRanks returns the sums over all ranks that a search needs, before ranks share memory, and opens the exchanges if
// it needs them. It is collective.
func (e *Engine) countRanks() (*cuda.Ranks, error) {
	host := e.t.Host()
	sums := []int64{e.NonLeaves(), e.NonLeafEdges(), device.RemoteRanks(e.t)}
	if err := host.AllReduce(sums, comm.Sum); err != nil {
		return nil, err
	}
	most, err := comm.Reduce(host, e.NonLeaves(), comm.Max)
	if err != nil {
		return nil, err
	}
	ranks := &cuda.Ranks{
		NonLeaves: sums[0], Edges: sums[1], MostNonLeaves: most, Known: e.NonIsolated(), Labels: e.Labels(),
	}
	if sums[2] > 0 || e.IDs64() {
		ranks.Exchanges, err = e.t.Exchanges()
	}
	return ranks, err
}

// openWindow opens the window for writes of peers.
func (e *Engine) openWindow(ranks *cuda.Ranks) (err error) {
	if e.window, err = e.t.Open("search", e.search.WindowBytes(ranks.Exchanges != nil)); err != nil {
		return err
	}
	ranks.Windows = device.ByRank(e.t, e.window)
	return nil
}

// shareLabels shares the first labels of each rank with all ranks, about Options.Known in total.
func (e *Engine) shareLabels(ranks *cuda.Ranks) (err error) {
	const grain = 4 // labels, since parts of an AllGather are multiples of 16 bytes
	each := min(ranks.MostNonLeaves, max(e.options.Known/int64(e.t.Host().Size()), 1))
	each = (each + grain - 1) / grain * grain
	if e.labels, err = e.ShareLabels(each); err != nil {
		return err
	}
	ranks.Known, ranks.Labels = each, e.labels.Memory
	return nil
}

// exposeGraph exposes the graph's arrays to all ranks, which must be peers, and finds the mean degrees. Pushes from a
// replicated frontier need both. It is collective.
func (e *Engine) exposeGraph(ranks *cuda.Ranks) error {
	type array struct {
		own cuda.Memory
		all *[]cuda.Memory
	}
	cols := array{e.Cols(), &ranks.Cols}
	addresses, chunks := e.PackedRows()
	if e.options.Packed {
		cols = array{addresses, &ranks.Packed}
	}
	for _, array := range []array{{e.Rows(), &ranks.Rows}, cols, {e.LocalIDs(), &ranks.LocalIDs}} {
		if err := e.expose(array.own, array.all); err != nil {
			return err
		}
	}
	if err := e.exposeChunks(ranks, chunks); err != nil {
		return err
	}
	return e.countDegrees(ranks)
}

// expose exposes memory to all ranks, and sets all to theirs. It is collective.
func (e *Engine) expose(own cuda.Memory, all *[]cuda.Memory) error {
	w, err := e.t.Expose(own)
	if err == nil {
		e.exposed = append(e.exposed, w)
		*all = device.ByRank(e.t, w)
	}
	return err
}

// exposeChunks exposes the arrays of packed rows. A rank with fewer than others exposes its last one again, or without
// any the offsets of rows. It is collective.
func (e *Engine) exposeChunks(ranks *cuda.Ranks, chunks []cuda.Memory) error {
	starts := lists.Of(chunks, func(chunk cuda.Memory) uint64 { return uint64(chunk.Address()) })
	of, err := comm.Gathered(e.t.Host(), starts)
	if err != nil {
		return err
	}
	for _, theirs := range of {
		ranks.Chunks = max(ranks.Chunks, len(theirs))
	}
	ranks.Moves = make([]uint64, len(of)*ranks.Chunks)
	own := e.Rows()
	for i := range ranks.Chunks {
		if i < len(chunks) {
			own = chunks[i]
		}
		var here []cuda.Memory
		if err := e.expose(own, &here); err != nil {
			return err
		}
		for r, theirs := range of {
			if i < len(theirs) {
				ranks.Moves[r*ranks.Chunks+i] = uint64(here[r].Address()) - theirs[i]
			}
		}
	}
	return nil
}

// countDegrees finds the mean degrees of degree classes over all ranks. It is collective.
func (e *Engine) countDegrees(ranks *cuda.Ranks) error {
	vertices, edges, err := e.search.Degrees()
	if err := comm.Agree(e.t.Host(), err); err != nil {
		return err
	}
	sums := append(vertices, edges...)
	if err := e.t.Host().AllReduce(sums, comm.Sum); err != nil {
		return err
	}
	ranks.Degrees = meanDegrees(sums[:len(vertices)], sums[len(vertices):])
	return nil
}

// deferredCapacity is the number of labels that a rank queries at a time after a search: 24 MB of messages.
const deferredCapacity = 1 << 20

// prepareDeferred opens a lookup of remote ranks' labels, if there are labels that not every rank stores. It is
// collective.
func (e *Engine) prepareDeferred(ranks *cuda.Ranks) (err error) {
	if ranks.MostNonLeaves <= ranks.Known {
		return nil
	}
	ranks.Deferred = min(deferredCapacity, ranks.MostNonLeaves)
	e.deferred, err = kernel1.NewLabelLookup(e.t, ranks.Deferred)
	return err
}

// lookUpDeferred looks up the labels of parents that the search has deferred.
func (e *Engine) lookUpDeferred() error {
	for {
		ids, n, err := e.search.Deferred()
		most, err := comm.ReduceAgreed(e.t.Host(), n, comm.Max, err)
		if err != nil || most == 0 {
			return err
		}
		if err := e.deferred.LookUp(e.Graph.Graph, ids, n, ids.Words); err != nil {
			return err
		}
		if err := e.search.StoreDeferred(n); err != nil {
			return err
		}
	}
}

// meanDegrees returns the mean degree of each class in sixteenths, rounded, from its numbers of vertices and edges. It
// is 0 for a class without vertices.
func meanDegrees(vertices, edges []int64) []uint32 {
	mean := make([]uint32, len(vertices))
	for class, n := range vertices {
		if n > 0 {
			mean[class] = uint32((16*edges[class] + n/2) / n)
		}
	}
	return mean
}
